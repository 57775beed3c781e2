import { type MenuItem, createMenuItem, updateMenuItem } from '#contracts/catalogue'
import { type Diet, saveAllergyRule, saveHealth, mealMarks } from '#contracts/health'
import { updateProfile } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { confirmPhone, saveMessageSettings, verifyPhone } from '#contracts/messages'
import { listConflicts } from '#contracts/order-reports'
import { type Order, changeOrder, listOrders, cancelOrders, substituteOrders } from '#contracts/ordering'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { mailTo } from '../support/mails'
import { type Canteen, openCanteen, place, refused } from './canteen'
import { withoutWorker } from './without-worker'

type Dish = Omit<MenuItem, 'version'>

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = withoutWorker(await openCanteen({ ROLE: 'web' }))
  office = canteen.superadminClient
})
afterAll(() => canteen.close())

const rule = (to: 'block' | 'warn') => office.call(saveAllergyRule, { body: { rule: to } })
const tell = () => canteen.sweepNamed('tell-of-conflicts')

/** As the kitchen and the office see them: child by child. */
const conflictsFor = async (client: Client) =>
  (await client.call(listConflicts)).data.flatMap((row) => ('orderId' in row ? [row] : []))

describe('conflicts', () => {
  let kitchen: Client
  /** Free porridge with peanuts, and without anything. */
  let nutty: Dish
  let plain: Dish
  beforeAll(async () => {
    kitchen = await canteen.administrator('cook', 'kitchen')
    nutty = await cook('Nutty porridge', ['Peanuts'])
    plain = canteen.items.porridge
  })
  beforeEach(() => rule('block'))

  const cook = (name: string, allergens: string[]) => {
    const { id: _id, isArchived: _isArchived, ...form } = { ...canteen.items.porridge, name, allergens }
    return office.call(createMenuItem, { body: form })
  }
  const edit = (item: Dish, allergens: string[]) => {
    const { id, isArchived: _isArchived, ...form } = { ...item, allergens }
    return office.call(updateMenuItem, { params: { id }, body: form })
  }
  const declare = (parent: Client, studentId: number, allergies: string[] | null) =>
    parent.call(saveHealth, {
      params: { id: studentId },
      body: { allergies, diet: 'none', medicalNote: '', noteConsent: false },
    })

  /** A family with an address and one child, allergic to these. */
  const allergicFamily = async (username: string, allergies: string[] | null) => {
    const family = await canteen.payingFamily(username, '4')
    const child = family.children[0]!
    await declare(family.parent, child.id, allergies)
    return { ...family, child }
  }
  const line = (child: { id: number }, item: Dish, acknowledged?: boolean, day = 3) =>
    canteen.porridgeFor(child as never, day, {
      menuItemId: item.id,
      ...(acknowledged !== undefined && { acknowledged }),
    })
  const change = (parent: Client, id: string, item: Dish, acknowledged?: boolean) =>
    parent.call(changeOrder, {
      params: { id },
      body: {
        menuItemId: item.id,
        category: 'chicken',
        sideDish: 'Banana',
        comments: '',
        discountedPrice: 0,
        ...(acknowledged !== undefined && { acknowledged }),
      },
    })
  const substitute = (id: string, item: Dish, acknowledged?: boolean, key?: string) =>
    office.call(substituteOrders, {
      body: { orderIds: [id], menuItemId: item.id, category: 'chicken', sideDish: 'Banana', acknowledged },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })

  /** What the kitchen and the parent are shown of an order. */
  const shown = async (parent: Client, id: string) => {
    const data = await conflictsFor(kitchen)
    const own = ((await parent.call(listOrders)) as Order[]).find((order) => order.id === id)
    return { kitchen: data.find(({ orderId }) => orderId === id)?.allergens, parent: own?.allergens }
  }
  const looks = async (userId: number) => {
    await tell()
    const { rows } = await canteen.infrastructure.database.pool.query<{ subject: string; text: string }>(
      `select subject, text from messaging.mail_outbox where "userId" = $1 and subject like 'Please look%' order by id`,
      [userId],
    )
    return rows
  }

  test('the server refuses such a line, and names what it is', async () => {
    const { parent, child } = await allergicFamily('chipo', ['Peanuts', 'Milk'])
    for (const acknowledged of [undefined, true])
      expect(await refused(place(parent, [line(child, nutty, acknowledged)]))).toMatchObject({
        status: 422,
        code: 'lines_refused',
        lines: [{ index: 0, code: 'allergen_conflict', allergens: ['Peanuts'] }],
      })
    const [order] = await place(parent, [line(child, plain)])
    expect(await refused(change(parent, order!.id, nutty, true))).toMatchObject({
      status: 422,
      code: 'allergen_conflict',
      allergens: ['Peanuts'],
    })
    expect(await substitute(order!.id, nutty, true)).toMatchObject({
      updated: 0,
      skipped: [{ orderId: order!.id, code: 'allergen_conflict', allergens: ['Peanuts'] }],
    })
  })

  test('who has the menu alone is told of dish, date and number, and of no child', async () => {
    const [one, two] = [await allergicFamily('mulenga', null), await allergicFamily('chileshe', null)]
    const dish = await cook('Counted porridge', ['Peanuts'])
    for (const day of [3, 4]) await place(one.parent, [line(one.child, dish, undefined, day)])
    await place(two.parent, [line(two.child, dish)])
    for (const { parent, child } of [one, two]) await declare(parent, child.id, ['Peanuts'])
    const cookOfMenu = await canteen.administrator('menu.keeper', 'menu')
    const { data } = await cookOfMenu.call(listConflicts)
    expect(data.filter(({ menuItem }) => menuItem === 'Counted porridge')).toEqual([
      { menuItem: 'Counted porridge', date: '2026-09-16', conflicts: 2 },
      { menuItem: 'Counted porridge', date: '2026-09-17', conflicts: 1 },
    ])
    expect(data.filter((row) => 'orderId' in row)).toEqual([])
  })

  test('with the rule to warn, who accepts it may have it: ordered, changed to or given', async () => {
    await rule('warn')
    const { parent, child } = await allergicFamily('bwalya', ['peanuts'])
    expect(await refused(place(parent, [line(child, nutty)]))).toMatchObject({ status: 422 })
    const [accepted] = await place(parent, [line(child, nutty, true)])
    expect(await shown(parent, accepted!.id)).toEqual({})

    const [other] = await place(parent, [line(child, plain, undefined, 4)])
    expect(await refused(change(parent, other!.id, nutty))).toMatchObject({ code: 'allergen_conflict' })
    await change(parent, other!.id, nutty, true)
    expect(await shown(parent, other!.id)).toEqual({})

    const [third] = await place(parent, [line(child, plain, undefined, 5)])
    expect((await substitute(third!.id, nutty)).skipped).toMatchObject([{ code: 'allergen_conflict' }])
    expect((await substitute(third!.id, nutty, true)).updated).toBe(1)
    // The family did not accept it: it is for them to look at.
    expect(await shown(parent, third!.id)).toEqual({ parent: ['Peanuts'] })
  })

  test('what is raised later is shown to both, and told once', async () => {
    const { parent, userId, child } = await allergicFamily('thandi', null)
    const [order] = await place(parent, [line(child, nutty)])
    expect(await shown(parent, order!.id)).toEqual({})
    await declare(parent, child.id, ['Peanuts'])
    expect(await shown(parent, order!.id)).toEqual({ kitchen: ['Peanuts'], parent: ['Peanuts'] })
    const data = await conflictsFor(kitchen)
    expect(data.find(({ orderId }) => orderId === order!.id)).toEqual({
      orderId: order!.id,
      student: child.name,
      date: '2026-09-16',
      menuItem: 'Nutty porridge',
      allergens: ['Peanuts'],
      diets: [],
    })
    const [mail, ...more] = await looks(userId)
    expect(more).toEqual([])
    expect(mail!.subject).toMatch(/^Please look at the lunch, /)
    expect(`${mail!.subject}${mail!.text}`).not.toMatch(/peanut|allerg/i)
    expect(await looks(userId)).toHaveLength(1)
  })

  test('who is reached by SMS alone is told by SMS, and no more than that', async () => {
    await office.call(saveMessageSettings, {
      body: { sms: true, dailyCeiling: 100, orderWithPhone: true, reminders: false },
    })
    const { parent, children } = await canteen.family('sms.only', '4')
    const profile = { name: 'sms.only', phone: '0971 234 567', currentPassword: 'parent-password' }
    await parent.call(updateProfile, { body: profile })
    await parent.call(verifyPhone)
    const { text: sent } = await mailTo(canteen, '+260971234567', 'SMS')
    await parent.call(confirmPhone, { body: { code: /^\d{6}/.exec(sent)![0] } })
    await place(parent, [line(children[0]!, nutty)])
    await declare(parent, children[0]!.id, ['Peanuts'])
    canteen.passMinute()
    await canteen.sweepUntil(async () => {
      const sms = (await listMails(canteen.dataDir)).filter(({ to }) => to === '+260971234567')
      expect(new Set(sms.map(({ text }) => text))).toEqual(
        new Set([
          sent,
          'Lusaka Test School: 1 meal (Wed 16 Sept) ordered. http://localhost:0',
          'Lusaka Test School: A meal of yours needs a look. http://localhost:0',
        ]),
      )
    })
  })

  test('an item that is edited later is in conflict again, also where the meal was accepted', async () => {
    await rule('warn')
    const changing = await cook('Changing porridge', ['Peanuts'])
    const { parent, userId, child } = await allergicFamily('zulu', ['Peanuts', 'Milk'])
    const [order] = await place(parent, [line(child, changing, true)])
    expect(await looks(userId)).toEqual([])
    await edit(changing, ['PEANUTS', 'milk'])
    expect(await shown(parent, order!.id)).toEqual({ kitchen: ['Milk'], parent: ['Milk'] })
    expect(await looks(userId)).toHaveLength(1)
    // The same meal, accepted as it is now.
    await change(parent, order!.id, changing, true)
    expect(await shown(parent, order!.id)).toEqual({})
  })

  test('an order that stands again is shown and told of', async () => {
    const { parent, userId, child } = await allergicFamily('phiri', [])
    const [order] = await place(parent, [line(child, nutty)])
    await office.call(cancelOrders, {
      body: { orderIds: [order!.id], reason: 'A mistake', remedy: 'refund' },
    })
    await declare(parent, child.id, ['Peanuts'])
    expect(await shown(parent, order!.id)).toEqual({})
    expect(await looks(userId)).toEqual([])
    await office.call(setOrderStatus, { body: { orderIds: [order!.id], status: 'pending' } })
    expect(await shown(parent, order!.id)).toEqual({ kitchen: ['Peanuts'], parent: ['Peanuts'] })
    expect(await looks(userId)).toHaveLength(1)
  })

  test('by what meals are marked is read for the own children alone', async () => {
    const { parent, child } = await allergicFamily('tembo', ['Milk'])
    expect(await parent.call(mealMarks)).toEqual({
      rule: 'block',
      students: [{ studentId: child.id, allergies: ['Milk'], diet: 'none' }],
    })
    await declare(parent, child.id, null)
    expect((await parent.call(mealMarks)).students).toEqual([
      { studentId: child.id, allergies: null, diet: 'none' },
    ])
    expect((await parent.fetch('/api/students/meal-marks')).headers.get('cache-control')).toBe('no-store')
  })

  describe('a meal against the diet of a child', () => {
    const halalFamily = async (username: string) => {
      const family = await canteen.payingFamily(username, '4')
      const child = family.children[0]!
      await eats(family.parent, child.id, 'halal')
      return { ...family, child }
    }
    const eats = (parent: Client, studentId: number, diet: Diet) =>
      parent.call(saveHealth, {
        params: { id: studentId },
        body: { allergies: null, diet, medicalNote: '', noteConsent: false },
      })
    const cookWith = (name: string, halal: 'yes' | 'no' | 'unknown') => {
      const { id: _id, isArchived: _isArchived, ...form } = canteen.items.porridge
      return office.call(createMenuItem, { body: { ...form, name, diets: { ...form.diets, halal } } })
    }

    test('is refused everywhere as one with an allergen is; what is unknown is not', async () => {
      const porky = await cookWith('Sausage porridge', 'no')
      const { parent, child } = await halalFamily('amina')
      for (const acknowledged of [undefined, true])
        expect(await refused(place(parent, [line(child, porky, acknowledged)]))).toMatchObject({
          status: 422,
          code: 'lines_refused',
          lines: [{ index: 0, code: 'diet_conflict', diets: ['halal'] }],
        })
      const [order] = await place(parent, [line(child, await cookWith('Any porridge', 'unknown'))])
      expect(await refused(change(parent, order!.id, porky, true))).toMatchObject({
        status: 422,
        code: 'diet_conflict',
        diets: ['halal'],
      })
      const key = 'a-diet'
      expect((await substitute(order!.id, porky, true, key)).skipped).toMatchObject([
        { orderId: order!.id, code: 'diet_conflict', diets: ['halal'] },
      ])
      expect((await substitute(order!.id, porky, true, key)).skipped).toEqual([
        { orderId: order!.id, code: 'not_possible', message: 'This meal is not possible for this child' },
      ])
    })

    test('is accepted under the rule to warn, listed and told once where it came later, and never said in a mail', async () => {
      const porky = await cookWith('Bacon porridge', 'no')
      await rule('warn')
      const { parent, userId, child } = await halalFamily('yusuf')
      expect(await refused(place(parent, [line(child, porky)]))).toMatchObject({
        lines: [{ code: 'diet_conflict' }],
      })
      const [order] = await place(parent, [line(child, porky, true)])
      const listed = async () => (await conflictsFor(kitchen)).filter(({ orderId }) => orderId === order!.id)
      const seen = async () => ((await parent.call(listOrders)) as Order[]).find(({ id }) => id === order!.id)
      expect(await listed()).toEqual([])
      expect(await looks(userId)).toEqual([])
      const { id, isArchived: _isArchived, ...form } = porky
      await office.call(updateMenuItem, {
        params: { id },
        body: { ...form, diets: { ...form.diets, noPork: 'no' } },
      })
      await eats(parent, child.id, 'no_pork')
      expect(await listed()).toMatchObject([{ menuItem: 'Bacon porridge', allergens: [], diets: ['noPork'] }])
      expect(await seen()).toMatchObject({ diets: ['noPork'] })
      const [mail, ...more] = await looks(userId)
      expect(more).toEqual([])
      expect(`${mail!.subject}${mail!.text}`).not.toMatch(/halal|pork|diet/i)
      await change(parent, order!.id, porky, true)
      expect(await listed()).toEqual([])
      expect(await seen()).not.toHaveProperty('diets')
      expect(await looks(userId)).toHaveLength(1)
    })

    test('is given by nobody who may not see health, whoever the child is', async () => {
      const porky = await cookWith('Ham porridge', 'no')
      const clerk = await canteen.administrator('clerk', 'history')
      const { parent, children } = await canteen.payingFamily('anybody', '4')
      const [order] = await place(parent, [line(children[0]!, plain)])
      const body = { orderIds: [order!.id], menuItemId: porky.id, category: 'chicken', sideDish: 'Banana' }
      expect((await clerk.call(substituteOrders, { body })).skipped).toMatchObject([
        { code: 'item_unavailable' },
      ])
    })
  })

  test('what a child is allergic to stands in tables of identity alone', async () => {
    await rule('block')
    const rare = await cook('Rare porridge', ['Sesame'])
    const { parent, child } = await allergicFamily('sakala', ['Sesame'])
    const [order] = await place(parent, [line(child, plain)])
    const first = await substitute(order!.id, rare, undefined, 'one-key')
    expect(first.skipped).toMatchObject([{ code: 'allergen_conflict', allergens: ['Sesame'] }])
    expect((await substitute(order!.id, rare, undefined, 'one-key')).skipped).toEqual([
      { orderId: order!.id, code: 'not_possible', message: 'This meal is not possible for this child' },
    ])
    await rule('warn')
    await change(parent, order!.id, rare, true)
    const { pool } = canteen.infrastructure.database
    const { rows: tables } = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await pool.query<{ has: boolean }>(
        `select exists (select from ${name} one where one::text ilike '%sesame%') as has`,
      )
      if (rows[0]!.has) found.push(name)
    }
    // The menu, its words and its history say what is in a meal; what a child is allergic to, identity alone.
    const ofTheMenu = [
      'catalogue.allergens',
      'catalogue.menu_items',
      'platform.changes',
      'platform.events',
      'audit.entries',
    ]
    expect(found.filter((name) => !ofTheMenu.includes(name)).toSorted()).toEqual([
      'identity.acknowledged_meals',
      'identity.student_health',
    ])
  })
})

describe('allergens in other words', () => {
  beforeAll(() => rule('block'))

  /** A family with an address, whose child is allergic to this, in the family's words. */
  const allergic = async (username: string, allergies: string[]) => {
    const family = await canteen.payingFamily(username, '4')
    const child = family.children[0]!
    const body = { allergies, diet: 'none' as const, medicalNote: '', noteConsent: false }
    await family.parent.call(saveHealth, { params: { id: child.id }, body })
    return { ...family, child }
  }
  const cooked = async (name: string, allergens: string[]) => {
    const { id: _id, isArchived: _isArchived, ...form } = { ...canteen.items.porridge, name, allergens }
    const { id } = await office.call(createMenuItem, { body: form })
    return { id, form }
  }
  /** As files from before left it. */
  const stored = (id: number, allergens: string[]) =>
    canteen.infrastructure.database.knex('catalogue.menu_items').where({ id }).update({ allergens })
  const looks = async (userId: number) => {
    await tell()
    return canteen.infrastructure.database
      .knex('messaging.mail_outbox')
      .where({ userId })
      .whereLike('subject', 'Please look%')
      .pluck('subject')
  }

  test.each([
    ['Groundnuts', ['peanut'], ['Groundnuts']],
    ['Milk;Wheat', ['gluten'], ['Wheat']],
    ['Contains: Milk and eggs', ['Dairy'], ['Milk']],
    ['Nuts', ['Peanuts'], ['Nuts']],
  ])('an item with %j stored is refused to a child with %j', async (allergens, allergies, met) => {
    const { id } = await cooked(`Porridge with ${allergens}`, [])
    await stored(id, [allergens])
    const { parent, child } = await allergic(`family-${id}`, allergies)
    const line = canteen.porridgeFor(child, 3, { menuItemId: id })
    expect(await refused(place(parent, [line]))).toMatchObject({
      code: 'lines_refused',
      lines: [{ index: 0, code: 'allergen_conflict', allergens: met }],
    })
  })

  test('the same allergen in another word is listed, and told to the family once', async () => {
    const { id, form } = await cooked('Millet porridge', [])
    const { parent, userId, child } = await allergic('mwansa', ['groundnuts'])
    await place(parent, [canteen.porridgeFor(child, 4, { menuItemId: id })])
    const listed = async () =>
      (await conflictsFor(office)).filter(({ menuItem }) => menuItem === 'Millet porridge')
    expect(await listed()).toEqual([])
    await stored(id, ['Groundnuts; Wheat'])
    expect(await listed()).toMatchObject([{ menuItem: 'Millet porridge', allergens: ['Groundnuts'] }])
    expect(await looks(userId)).toHaveLength(1)
    await office.call(updateMenuItem, {
      params: { id },
      body: { ...form, allergens: ['Peanuts', 'Milk'] },
    })
    expect(await listed()).toMatchObject([{ menuItem: 'Millet porridge', allergens: ['Peanuts'] }])
    expect(await looks(userId)).toHaveLength(1)
    const { students } = await parent.call(mealMarks)
    expect(students).toMatchObject([{ studentId: child.id, allergies: ['Peanuts'] }])
  })
})
