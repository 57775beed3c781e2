import { acceptGuardianInvite, deleteParent, inviteGuardian } from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import type { ReplyOf } from '#contracts/endpoint'
import { mergeStudent, moveStudent, roll } from '#contracts/enrolment'
import { saveHealth } from '#contracts/health'
import {
  type Student,
  listStudents,
  updateStudent,
  addStudent,
  currentUser,
  verifyEmail,
  createAdmin,
  listClasses,
} from '#contracts/identity'
import { classList, setOrderStatus } from '#contracts/kitchen'
import { cycleOrders } from '#contracts/order-reports'
import { cancelOrder, changeOrder, listOrders, setAbsence, type Order } from '#contracts/ordering'
import { applyRoll, claimCodes, claimStudents, previewRoll } from '#contracts/roll-import'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { isSignedIn, parent, refusal, signedIn } from '../identity/people'
import { type Canteen, openCanteen, place, refused } from '../ordering/canteen'
import { withoutWorker } from '../ordering/without-worker'
import { mailTo } from '../support/mails'

let canteen: Canteen
let bursar: Client
beforeAll(async () => {
  canteen = withoutWorker(await openCanteen({ ROLE: 'web' }))
  bursar = await canteen.administrator('bursar.office', 'parents_students', 'kitchen', 'history')
})
afterAll(() => canteen.close())

describe('roll', () => {
  const at = ({ id }: Pick<Student, 'id'>) => ({ params: { id } })
  const codeOf = async (asked: Promise<unknown>) => (await refused(asked)).code
  const idOf = async (parent: Client) => (await parent.call(listStudents))[0]!.parentId

  test('the office keeps class and number of any child; a number is one child’s', async () => {
    const { parent, children } = await canteen.family('mwila', '3', '5')
    const [small, big] = children as [Student, Student]
    const edit = { name: 'Chipo Mwila', grade: '3' as const, class: '3B', admissionNumber: 'A-17' }
    expect(await bursar.call(updateStudent, { ...at(small), body: edit })).toMatchObject({
      ...edit,
      affectedOrders: [],
    })
    const other = { name: 'Taonga', grade: '5' as const, admissionNumber: 'A-17' }
    expect(await codeOf(bursar.call(updateStudent, { ...at(big), body: other }))).toBe(
      'admission_number_taken',
    )

    // A parent changes name and grade; what the roll says stays.
    const body = { name: 'Chipo M', grade: '3' as const, class: '9Z', admissionNumber: 'X' }
    await parent.call(updateStudent, { ...at(small), body })
    const { data, classes, metadata } = await bursar.call(roll, { query: { text: 'a-17', class: '3B' } })
    expect(data).toEqual([
      expect.objectContaining({
        id: small.id,
        name: 'Chipo M',
        class: '3B',
        admissionNumber: 'A-17',
        parent: expect.objectContaining({ username: 'mwila' }),
        guardian: null,
        onRoll: false,
      }),
    ])
    expect([classes, metadata.total]).toEqual([['3B'], 1])
    expect((await bursar.call(roll, { query: { claimed: 'false' as never } })).data).toEqual([])
    expect(await codeOf(parent.call(roll, { query: {} }))).toBe('forbidden')
  })

  test('a grade of the other menu names the lunches that no longer fit', async () => {
    const { parent, children } = await canteen.family('grade', '5')
    const [child] = children as [Student]
    const [order] = await place(parent, [canteen.porridgeFor(child, 2)])
    const body = { name: 'Grade Six', grade: '6' as const }
    const { affectedOrders } = await bursar.call(updateStudent, { ...at(child), body })
    expect(affectedOrders).toEqual([
      { orderId: order!.id, date: order!.mealDate, menuItem: 'School porridge' },
    ])
  })

  test('a child moves with its lunches; the money stays, and its name outlives the family that ordered', async () => {
    const from = await canteen.family('old', '2')
    const to = await canteen.family('new', '4')
    const [child] = from.children as [Student]
    await bursar.call(updateStudent, { ...at(child), body: { name: 'Mapalo', grade: '2', class: '2A' } })
    const [kept, cancelled] = await place(from.parent, [
      canteen.porridgeFor(child, 2),
      canteen.porridgeFor(child, 3),
    ])
    const oldId = await idOf(from.parent)
    const parentId = await idOf(to.parent)
    expect(await codeOf(bursar.call(moveStudent, { ...at(child), body: { parentId: 1 } }))).toBe(
      'parent_not_found',
    )
    const moved = await bursar.call(moveStudent, { ...at(child), body: { parentId } })
    expect(moved).toMatchObject({ id: child.id, parentId, class: '2A' })

    expect(await from.parent.call(listStudents)).toEqual([])
    const seen = await to.parent.call(listOrders, { query: {} })
    expect((seen as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([kept!.id, cancelled!.id])
    const stays = (await from.parent.call(listOrders)) as Order[]
    expect(stays.map(({ allowed }) => allowed)).toEqual(
      stays.map(() => ({ cancel: false, change: false, move: false, absent: false })),
    )
    const lunch = { params: { id: kept!.id } }
    const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
    const changed = { ...lunch, body: { ...other, discountedPrice: 0 } }
    expect(await codeOf(from.parent.call(cancelOrder, lunch))).toBe('order_not_found')
    expect(await codeOf(from.parent.call(changeOrder, changed))).toBe('order_not_found')
    expect(await codeOf(from.parent.call(setAbsence, lunch))).toBe('order_not_found')
    expect(await to.parent.call(changeOrder, changed)).toMatchObject({ id: kept!.id, sideDish: 'Bread' })
    expect(await to.parent.call(cancelOrder, { params: { id: cancelled!.id } })).toMatchObject({
      status: 'cancelled',
      receiptNumber: null,
    })
    // What is no lunch any more is for who has paid for it.
    const left = (await from.parent.call(listOrders)) as { id: string; status: string }[]
    expect(left.map(({ id, status }) => [id, status])).toEqual([
      [kept!.id, 'pending'],
      [cancelled!.id, 'cancelled'],
    ])
    expect(await codeOf(place(to.parent, [canteen.porridgeFor(child, 2)]))).toBe('lines_refused')

    const gone = { params: { id: oldId }, query: { force: 'true' as const, giveUp: 'old' } }
    await bursar.call(deleteParent, gone)
    const { data } = await bursar.call(classList, { query: { date: kept!.mealDate } })
    expect(data.find(({ id }) => id === kept!.id)).toMatchObject({ student: 'Mapalo', class: '2A' })
  })

  describe('a child that was entered twice', () => {
    test('is one with all of its lunches, and has one lunch a date under all of its numbers', async () => {
      const { parent, children } = await canteen.family('twins', '1', '1')
      const [twin, into] = children as [Student, Student]
      const number = { name: twin.name, grade: '1' as const, admissionNumber: 'T-1' }
      await bursar.call(updateStudent, { ...at(twin), body: number })
      const [tuesday] = await place(parent, [canteen.porridgeFor(twin, 2), canteen.porridgeFor(twin, 3)])
      const [own] = await place(parent, [canteen.porridgeFor(into, 2)])
      const merged = { ...at(twin), body: { intoId: into.id } }
      expect(await codeOf(bursar.call(mergeStudent, { ...at(into), body: { intoId: into.id } }))).toBe(
        'same_student',
      )
      expect(await codeOf(bursar.call(mergeStudent, merged))).toBe('same_date')
      // Refused, nothing has changed.
      expect(await parent.call(listStudents)).toHaveLength(2)

      await parent.call(cancelOrder, { params: { id: own!.id } })
      for (const _again of [1, 2])
        expect(await bursar.call(mergeStudent, merged)).toMatchObject({ id: into.id, admissionNumber: 'T-1' })
      expect(await parent.call(listStudents)).toEqual([expect.objectContaining({ id: into.id })])
      const underInto = { studentId: into.id, student: { name: into.name } }
      expect(await parent.call(listOrders)).toMatchObject([underInto, underInto, underInto])
      const { data } = await bursar.call(classList, { query: { date: tuesday!.mealDate } })
      expect(data.find(({ id }) => id === tuesday!.id)).toMatchObject({ student: into.name })
      const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
      const changed = { params: { id: tuesday!.id }, body: { ...other, discountedPrice: 0 } }
      expect(await parent.call(changeOrder, changed)).toMatchObject({ ...underInto, sideDish: 'Bread' })
      expect(await codeOf(place(parent, [canteen.porridgeFor(into, 2)]))).toBe('lines_refused')
      expect(await codeOf(place(parent, [canteen.porridgeFor(twin, 4)]))).toBe('lines_refused')
      const reopened = { body: { orderIds: [own!.id], status: 'pending' as const } }
      expect((await bursar.call(setOrderStatus, reopened)).skipped).toEqual([
        expect.objectContaining({ id: own!.id, code: 'slot_taken' }),
      ])
      await parent.call(cancelOrder, { params: { id: tuesday!.id } })
      expect(await place(parent, [canteen.porridgeFor(into, 2)])).toHaveLength(1)
    })
  })
})

describe('roll families', () => {
  const heads = 'admissionNumber,student,grade,class,guardian,email,phone'
  const query = (sql: string) => canteen.infrastructure.database.pool.query(sql)
  const byName = async (text: string) => (await bursar.call(roll, { query: { text } })).data

  const previewed = async (...lines: string[]): Promise<ReplyOf<typeof previewRoll>> => {
    const form = new FormData()
    form.set('file', new File([[heads, ...lines].join('\n')], 'roll.csv', { type: 'text/csv' }))
    const response = await bursar.fetch(previewRoll.path, { method: 'POST', body: form })
    return previewRoll.reply.parse(await response.json())
  }
  const imported = async (...lines: string[]) => {
    const { id } = await previewed(...lines)
    return bursar.call(applyRoll, { params: { id }, body: { remove: false } })
  }

  const verified = async (username: string, email: string): Promise<Client> => {
    const client = await canteen.parent(username, { email })
    const { text } = await mailTo(canteen, email, 'Please confirm')
    const { searchParams } = new URL(/http\S+verify-email\S+/.exec(text)![0])
    await client.call(verifyEmail, { body: { token: searchParams.get('token')! } })
    expect((await client.call(currentUser)).emailVerified).toBe(true)
    return client
  }

  test('a class is one however it is written: in the list, at the office and in a filter', async () => {
    await imported('C-1,Class One,3,Grade 3 T,,,', 'C-2,Class Two,3,3t,,,', 'C-3,Class Three,3,,,,')
    const [three] = await byName('Class Three')
    const { id, name } = three!
    await bursar.call(updateStudent, { params: { id }, body: { name, grade: '3', class: '3-T' } })
    const { data, classes } = await bursar.call(roll, { query: { class: 'grade 3t' } })
    expect(data.map((child) => [child.admissionNumber, child.class])).toEqual([
      ['C-1', '3T'],
      ['C-3', '3T'],
      ['C-2', '3T'],
    ])
    expect(classes.filter((one) => /^3 ?t/i.test(one))).toEqual(['3T'])
    const again = await previewed(
      'C-1,Class One,3,3 T,,,',
      'C-2,Class Two,3,3T,,,',
      'C-3,Class Three,3,3t,,,',
    )
    expect(again).toMatchObject({ same: 3, changed: 0 })
  })

  test('so is one that was stored as it was typed: in filters, in the list of classes and for the orders of a cycle', async () => {
    const { parent, children } = await canteen.family('spelling', '4', '4', '4')
    const stored = ['Grade 4 S', '4 s', '4S']
    for (const [place, { id }] of children.entries())
      await query(`update identity.students set class = '${stored[place]!}' where id = ${id}`)
    for (const asked of ['4S', 'grade 4s']) {
      const { data, classes } = await bursar.call(roll, { query: { class: asked } })
      expect(data.map(({ id }) => id).toSorted()).toEqual(children.map(({ id }) => id).toSorted())
      expect(data.map((child) => child.class)).toEqual(['4S', '4S', '4S'])
      expect(classes.filter((one) => /4 ?s$/i.test(one))).toEqual(['4S'])
    }
    const { data: classes } = await bursar.call(listClasses)
    expect(classes.filter((one) => /4 ?s$/i.test(one))).toEqual(['4S'])
    await place(
      parent,
      children.map((child) => canteen.porridgeFor(child, 3)),
    )
    const { data } = await bursar.call(cycleOrders, { query: { class: '4 S' } })
    expect(data).toHaveLength(3)
    const onPaper = await bursar.call(classList, { query: { date: '2026-09-16', grade: '4' } })
    expect(onPaper.data.map((lunch) => lunch.class)).toEqual(['4S', '4S', '4S'])
    const withoutClass = await bursar.call(roll, { query: { class: '', limit: 100 } })
    expect(withoutClass.data.filter(({ class: of }) => of !== null)).toEqual([])
    expect(withoutClass.data.length).toBeGreaterThan(0)
  })

  test('an import puts no child on an account, also on one with the verified address of the list', async () => {
    const account = await verified('kunda', 'kunda@example.org')
    const { codes } = await imported('K-1,Kunda One,2,2A,Mrs Kunda,kunda@example.org,')
    expect(await account.call(listStudents)).toEqual([])
    expect(codes).toEqual([expect.objectContaining({ mailed: true })])
    await account.call(claimStudents, { body: { code: codes[0]!.code } })
    // A child that is on an account stays there.
    const again = await imported('K-1,Kunda One,3,3A,Mrs Kunda,other@example.org,')
    expect(again).toMatchObject({ changed: 1, codes: [] })
    expect(await account.call(listStudents)).toEqual([expect.objectContaining({ grade: '3' })])
  })

  test('the address of the list is told when its children go to an account by a code or by the office', async () => {
    const { codes } = await imported(
      'L-1,Luse One,2,2A,Mrs Luse,lweendo@example.org,',
      'L-2,Luse Two,2,2A,Mrs Luse,lweendo@example.org,',
      'M-1,Moono,2,2A,Mr Moono,moono@example.org,',
    )
    const code = codes.find(({ students }) => students.length === 2)!.code
    for (const address of ['lweendo@example.org', 'moono@example.org'])
      await mailTo(canteen, address, 'Your family')
    const stranger = await canteen.parent('stranger', { email: 'stranger@example.org' })
    await stranger.call(claimStudents, { body: { code } })
    const { text } = await mailTo(canteen, 'lweendo@example.org', 'added to an account')
    expect(text).toContain('2 children')
    expect(text).not.toMatch(/Luse|stranger/)
    const [moono] = await byName('Moono')
    const { id: parentId } = await stranger.call(currentUser)
    await bursar.call(moveStudent, { params: { id: moono!.id }, body: { parentId } })
    await mailTo(canteen, 'moono@example.org', 'added to an account')
  })

  test('the guardians of both are told of a merge, without an allergen, and the history says who merged', async () => {
    const mother = await verified('mutinta', 'mutinta@example.org')
    const father = await verified('habeenzu', 'habeenzu@example.org')
    const aunt = await canteen.parent('nchimunya', { email: 'nchimunya@example.org' })
    const ofMother = await mother.call(addStudent, { body: { name: 'Choolwe H', grade: '2' } })
    const ofFather = await father.call(addStudent, { body: { name: 'Choolwe Habeenzu', grade: '2' } })
    const { code } = await father.call(inviteGuardian, { params: { id: ofFather.id }, body: {} })
    await aunt.call(acceptGuardianInvite, { params: { idOrCode: code } })
    const health = { diet: 'none' as const, medicalNote: '', noteConsent: false }
    await mother.call(saveHealth, {
      params: { id: ofMother.id },
      body: { ...health, allergies: ['Peanuts'] },
    })
    await father.call(saveHealth, { params: { id: ofFather.id }, body: { ...health, allergies: ['Milk'] } })
    for (const _again of [1, 2])
      await bursar.call(mergeStudent, { params: { id: ofMother.id }, body: { intoId: ofFather.id } })

    const subject = 'Two entries of your child were joined'
    const told = async (name: string) => (await mailTo(canteen, `${name}@example.org`, subject)).text
    expect(await told('mutinta')).toContain(
      'The school office has joined two entries of Choolwe H. The child is now on the account of another guardian.',
    )
    expect(await told('habeenzu')).toContain(
      'The school office has joined two entries of Choolwe Habeenzu into one, with the lunches of both and all that the kitchen knows of both.',
    )
    expect(await told('nchimunya')).toContain(
      'The school office has joined two entries of a child of yours into one',
    )
    for (const name of ['mutinta', 'habeenzu', 'nchimunya'])
      expect(await told(name)).not.toMatch(/peanut|milk|allerg/i)
    const { rows } = await query(
      `select count(*)::int from messaging.mail_outbox where subject = '${subject}'`,
    )
    expect(rows).toEqual([{ count: 3 }])

    // Two entries of one account have no other trace of their merge.
    const ofAunt = await aunt.call(addStudent, { body: { name: 'Lweendo', grade: '1' } })
    const again = await aunt.call(addStudent, { body: { name: 'Lweendo', grade: '1' } })
    await bursar.call(mergeStudent, { params: { id: again.id }, body: { intoId: ofAunt.id } })

    await canteen.sweep()
    const { data } = await bursar.call(auditEntries, { query: { limit: 100 } })
    const mergers = ({ id }: Student) =>
      data.filter(({ what }) => what.includes(`merged into student ${id} `)).map(({ who }) => who)
    expect([mergers(ofFather), mergers(ofAunt)]).toEqual([['bursar.office'], ['bursar.office']])
  })

  test('placeholders and an address of different guardians join nobody, and are named; the office joins them', async () => {
    const lines = [
      '1001,Chanda Mulenga,3,3A,Mother,none@none.com,0000000000',
      '1002,Bupe Zulu,5,5B,Mother,none@none.com,0000000000',
      '1003,Luse Phiri,2,2A,n/a,-,n/a',
      '1004,Tapiwa Daka,2,2A,n/a,-,n/a',
      '1005,Mwila Sata,2,2A,Ruth Sata,office@school.example,0977 111 222',
      '1006,Mwape Sata,3,3A,Mrs R. Sata,office@school.example,+260977111222',
      '1007,Njavwa Tembo,3,3A,Paul Tembo,office@school.example,',
      '1008,Pemba Tembo,4,4A,Paul Tembo,,',
    ]
    const shown = await previewed(...lines)
    expect(shown.errors).toEqual([])
    expect(shown.notJoined).toEqual(
      expect.arrayContaining([
        {
          column: 'email',
          value: 'none@none.com',
          why: 'placeholder',
          children: 2,
          students: ['Chanda Mulenga', 'Bupe Zulu'],
        },
        expect.objectContaining({ column: 'phone', value: '0000000000', children: 2 }),
        expect.objectContaining({ column: 'phone', value: 'n/a', students: ['Luse Phiri', 'Tapiwa Daka'] }),
        expect.objectContaining({ column: 'email', value: '-', children: 2 }),
        expect.objectContaining({
          column: 'email',
          value: 'office@school.example',
          why: 'shared',
          children: 3,
        }),
        expect.objectContaining({ column: 'guardian', value: 'Paul Tembo', why: 'name', children: 2 }),
      ]),
    )
    const { codes } = await bursar.call(applyRoll, { params: { id: shown.id }, body: { remove: false } })
    const families = codes.map(({ students, mailed }) => [students.map(({ name }) => name).join(), mailed])
    expect(new Map(families as [string, boolean][])).toEqual(
      new Map([
        ['Chanda Mulenga', false],
        ['Bupe Zulu', false],
        ['Luse Phiri', false],
        ['Tapiwa Daka', false],
        ['Mwila Sata,Mwape Sata', false],
        ['Njavwa Tembo', false],
        ['Pemba Tembo', false],
      ]),
    )
    const studentIds = (await byName('Tembo')).map(({ id }) => id)
    const one = await bursar.call(claimCodes, { body: { studentIds, together: true } })
    expect(one.codes.map(({ students }) => students.length)).toEqual([2])
    const parent = await canteen.parent('tembo')
    await parent.call(claimStudents, { body: { code: one.codes[0]!.code } })
    expect(await parent.call(listStudents)).toHaveLength(2)
  })

  test('a list that a spreadsheet took the zeros from neither adds a child nor lets one leave', async () => {
    await imported('00101,Zeronia Banda,4,,,,', '00102,Zeronus Phiri,5,,,,')
    const shown = await previewed('101,Zeronia Banda,4,,,,', '102.0,Zeronus Phiri,6,,,,')
    expect(shown.rows.map(({ state, admissionNumber }) => [state, admissionNumber])).toEqual([
      ['same', '00101'],
      ['changed', '00102'],
    ])
    await bursar.call(applyRoll, { params: { id: shown.id }, body: { remove: false } })
    expect((await byName('Zeron')).map(({ admissionNumber }) => admissionNumber)).toEqual(['00101', '00102'])
  })

  test('a candidate is shown with the address of its account and whether that is verified', async () => {
    const account = await canteen.parent('headteacher', {
      email: 'someone@example.org',
      name: 'Head Teacher',
    })
    await account.call(addStudent, { body: { name: 'Sepo Ng’andu', grade: '4' } })
    const shown = await previewed("N-1,SEPO NG'ANDU,4,4A,Mrs Ng'andu,real@example.org,")
    expect(shown.rows).toEqual([
      expect.objectContaining({
        state: 'matched',
        isClear: false,
        candidates: [
          expect.objectContaining({
            account: { username: 'headteacher', email: 'someone@example.org', emailVerified: false },
          }),
        ],
      }),
    ])
  })

  test('nothing of a deleted family stays in lists that were uploaded, applied or not', async () => {
    const { codes } = await imported(
      'P-1,Perpetua Vanishing,2,2A,Mrs Vanishing,vanish@example.org,0966 777 888',
    )
    const parent = await canteen.parent('vanishing')
    const { id } = await parent.call(currentUser)
    await parent.call(claimStudents, { body: { code: codes[0]!.code } })
    await imported(
      'P-1,Perpetua Vanishing,3,3A,Mrs Vanishing,vanish@example.org,0966 777 888',
      'P-2,Stays,3,3A,,,',
    )
    await previewed('P-1,Perpetua Vanishing,4,4A,,,')
    await bursar.call(deleteParent, { params: { id } })
    const { rows } = await query('select row_to_json(one)::text as text from enrolment.roll_imports one')
    const kept = rows.map(({ text }) => text as string).join('\n')
    expect(kept).not.toMatch(/vanish/i)
    expect(kept).not.toContain('0966 777 888')
    expect(kept).toContain('Stays')
  })
})

describe('giving up', () => {
  let school: IdentityServer
  let office: Client
  beforeAll(async () => {
    school = await startIdentity({ superadminPassword: 'superadmin-secret' })
    await school.identity.ensureSuperadmin()
    const superadmin = await signedIn(school, 'superadmin')
    await superadmin.call(createAdmin, {
      body: { username: 'office', password: 'office-secret', allowedFeatures: ['parents_students'] },
    })
    office = await signedIn(school, 'office')
  })
  afterAll(() => school.close())
  afterEach(() => expect(school.faults()).toEqual([]))

  test('a parent with credit or money owed is deleted only when that is given up by its name', async () => {
    const { client, id } = await parent(school, 'creditor')
    school.world.creditLeft = { creditBalance: 1250, owed: 4550 }
    const left = refusal(409, 'credit_left', { creditBalance: 12.5, owed: 45.5 })
    const remove = (giveUp?: string) =>
      office.call(deleteParent, { params: { id }, query: { force: 'true', giveUp } })
    await expect(office.call(deleteParent, { params: { id } })).rejects.toEqual(left)
    await expect(remove()).rejects.toEqual(left)
    await expect(remove('somebody')).rejects.toEqual(left)
    expect(await isSignedIn(client)).toBe(true)
    expect(school.world.creditLeft).toEqual({ creditBalance: 1250, owed: 4550 })
    await remove('creditor')
    expect(await isSignedIn(client)).toBe(false)
    expect(school.world.creditLeft).toEqual({ creditBalance: 0, owed: 0 })
  })
})
