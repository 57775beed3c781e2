import { updateParent } from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import { find, getFamily, familyFeatures } from '#contracts/find'
import { type FeatureName, featureNames } from '#contracts/identity'
import { liveOrders } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { type FindingSchool, openFindingSchool } from './finding-school'

let canteen: FindingSchool
let mutinta: FindingSchool['mutinta']
let grace: FindingSchool['grace']
beforeAll(async () => {
  canteen = await openFindingSchool()
})
afterAll(() => canteen.close())

describe('find', () => {
  beforeAll(async () => {
    ;({ mutinta, grace } = canteen)
  })

  const search = (q: string, by: Client = canteen.superadminClient) => by.call(find, { query: { q } })
  const found = async (q: string, by?: Client) => {
    const { families, payments, orders } = await search(q, by)
    return {
      families: families.map(({ username }) => username),
      payments: payments.map(({ username }) => username),
      orders: orders.map(({ username }) => username),
    }
  }
  const moyos = {
    families: ['mutinta.moyo'],
    payments: ['mutinta.moyo'],
    orders: ['mutinta.moyo', 'mutinta.moyo'],
  }
  const bandas = { families: ['grace'], payments: ['grace'], orders: ['grace'] }

  test('a payment is found by our reference, however it is written', async () => {
    const signs = mutinta.reference.slice(3)
    for (const q of [mutinta.reference, signs, signs.toLowerCase(), `lp${signs}`, `LP - ${signs}`])
      expect({ q, found: await found(q) }).toEqual({ q, found: moyos })
    expect(await found(grace.reference)).toEqual(bandas)
  })

  test("it is found by the provider's token and reference", async () => {
    for (const q of [grace.token, grace.token.toLowerCase(), grace.providerReference])
      expect(await found(q)).toEqual(bandas)
  })

  test('a family is found by username, name, email address, phone number in any form, and the name of a child', async () => {
    const typed = ['mutinta.moyo', 'chisenga mutinta', 'MUTINTA@example.org']
    const numbers = ['+260977123456', '0977 123 456', '977-123-456', '00260 977123456', '0977123']
    for (const q of [...typed, ...numbers, 'mutinta.moyo 9'])
      expect({ q, found: await found(q) }).toEqual({ q, found: moyos })
    // Nothing was ordered for this one.
    expect(await found('mutinta.moyo 3')).toEqual({ ...moyos, orders: [] })
  })

  test('a name is found in any writing of its apostrophes, hyphens and accents', async () => {
    await canteen.superadminClient.call(updateParent, {
      params: { id: grace.id },
      body: { username: 'grace', name: 'Zoë Ng’andu-Phiri', email: '', phone: '' },
    })
    for (const q of ["zoe ng'andu", 'NGANDU PHIRI', 'Ngʼandu‑Phiri'])
      expect({ q, found: await found(q) }).toEqual({ q, found: bandas })
    expect(await found('’ ’')).toEqual({ families: [], payments: [], orders: [] })
  })

  test('an amount finds payments of it and orders at this price, unpaid ones first', async () => {
    expect(await found('K91.00')).toEqual({ families: [], payments: ['mutinta.moyo'], orders: [] })
    expect(await found('45.50')).toEqual({
      families: [],
      payments: ['grace'],
      orders: ['mutinta.moyo', 'mutinta.moyo', 'grace'],
    })
    const { payments } = await search('mutinta.moyo')
    expect(payments).toMatchObject([
      { amount: 91, unpaid: 91, reference: mutinta.reference, payBy: 'airtel' },
    ])
    await canteen.verify([mutinta.orders[0]!])
    expect((await search('mutinta.moyo')).families).toMatchObject([{ unpaid: 45.5 }])
    expect((await search('45.50')).orders.map(({ paymentStatus }) => paymentStatus)).toEqual([
      'pending',
      'confirmed',
      'confirmed',
    ])
    // What is left of a payment is an amount that somebody may look for.
    expect((await found('45.50')).payments).toEqual(['mutinta.moyo', 'grace'])
  })

  const rowId = '5d0c8a5e-6a53-4d0c-9f0e-3b6f2a1c7e94'
  const otherRow = '5d0c8a5e-6a53-4d0c-9f0e-3b6f2a1c7e95'

  /** Two rows of a statement: one that pays for Mutinta's first meal, and one that nobody has matched. */
  const statementThere = async () => {
    const { pool } = canteen.infrastructure.database
    await pool.query(`insert into transfers.statements (source, layout, method, file_name, uploaded_by, uploaded_at)
    values ('airtel', 'airtel', 'airtel', 'a.csv', 1, '2026-09-14T05:00:00Z')`)
    await pool.query(
      `insert into transfers.statement_rows
       (id, statement_id, method, at, amount, payer, phone, text, transaction_id, transaction_key, row_key)
     values ($1, 1, 'airtel', '2026-09-14T04:00:00Z', 4550, 'M CHISENGA', '+260 977 123 456', 'lunch', 'MP 26.09', 'MP26.09', 'a'),
       ($2, 1, 'airtel', '2026-09-13T04:00:00Z', 12000, 'G PHIRI', '0966 555 444', 'lp 7zz zz9 chipo', 'XP260914.1', 'XP260914.1', 'b')`,
      [rowId, otherRow],
    )
    await pool.query(
      `insert into transfers.transfers (id, confirmed, confirmation_id, row_id, method, transaction_id, transaction_key,
       amount, families, user_ids, order_ids, by_user, confirmed_at, changed_at)
     values ($1, true, $1, $1, 'airtel', 'MP 26.09', 'MP26.09', 4550, '[]', array[$2::int], array[$3], 1, now(), now())`,
      [rowId, mutinta.id, mutinta.orders[0]],
    )
  }

  const rows = async (q: string, by?: Client) => (await search(q, by)).statementRows

  test('rows of statements are found by number, amount, payer, phone and reference, and by the family they paid for', async () => {
    await statementThere()
    for (const q of ['mp2609', 'MP 26.09', 'chisenga', '0977 123 456', mutinta.reference.toLowerCase()])
      expect({ q, rows: await rows(q) }).toMatchObject({ q, rows: [{ id: rowId, state: 'confirmed' }] })
    for (const q of ['XP260914.1', 'K120.00', 'phiri', '+260 966 555444', 'LP-7ZZZZ9', 'chipo'])
      expect({ q, rows: await rows(q) }).toMatchObject({
        q,
        rows: [{ id: otherRow, statementId: 1, amount: 120, payer: 'G PHIRI', state: 'open' }],
      })
    // The number of its transaction leads to the family, the payment and the order that it paid for.
    expect(await found('mp2609')).toEqual({
      families: ['mutinta.moyo'],
      payments: ['mutinta.moyo'],
      orders: ['mutinta.moyo', 'mutinta.moyo'],
    })
    // Open ones first.
    await canteen.infrastructure.database.pool.query(
      `update transfers.statement_rows set text = 'lunch' where payer is distinct from 'SEEN'`,
    )
    expect((await rows('lunch')).map(({ state }) => state)).toEqual(['open', 'confirmed'])
    const live = await canteen.administrator('no-statements', 'live_orders', 'refunds', 'parents_students')
    expect(await rows('lunch', live)).toEqual([])
  })

  test('a receipt number leads to its payment and family', async () => {
    for (const q of ['2026-000001', '2026-1']) expect(await found(q)).toEqual(bandas)
    expect(await found('2025-000001')).toEqual({ families: [], payments: [], orders: [] })
  })

  test('Live Orders and Books find our reference too', async () => {
    const office = canteen.superadminClient
    const signs = mutinta.reference.slice(3).toLowerCase()
    for (const reference of [mutinta.reference, signs, `lp${signs}`]) {
      const live = await office.call(liveOrders, { query: { transactionId: reference } })
      expect(live.data.map(({ username }) => username)).toEqual(['mutinta.moyo'])
      const books = await office.call(auditEntries, { query: { about: reference } })
      expect(books.data.map(({ what }) => what)).toContainEqual(
        expect.stringContaining('Ordered Stew for mutinta.moyo 9'),
      )
    }
    expect((await office.call(auditEntries, { query: { about: 'LP-000000' } })).data).toEqual([])
    const other = await office.call(liveOrders, { query: { transactionId: `%${signs.slice(2, 4)}` } })
    expect(other.data).toEqual([])
  })

  test.each<[FeatureName, Partial<typeof moyos>, boolean]>([
    ['live_orders', { payments: moyos.payments, orders: moyos.orders }, false],
    ['order_recovery', { payments: moyos.payments, orders: moyos.orders }, false],
    ['pending_payments', { families: moyos.families, orders: moyos.orders }, true],
    ['refunds', { families: moyos.families, orders: moyos.orders }, true],
    ['parents_students', { families: moyos.families, orders: moyos.orders }, true],
  ])('who has %s is shown %j', async (feature, shown, mayOpen) => {
    const by = await canteen.administrator(`office-${feature.replace('_', '-')}`, feature)
    for (const q of ['mutinta.moyo', mutinta.reference, '0977 123 456']) {
      expect({ q, found: await found(q, by) }).toEqual({
        q,
        found: { families: [], payments: [], orders: [], ...shown },
      })
      const { payments, orders } = await search(q, by)
      for (const { familyId } of [...payments, ...orders]) expect(familyId).toBe(mayOpen ? mutinta.id : null)
    }
  })

  test('who may not see contacts does not learn them piece by piece', async () => {
    const by = await canteen.administrator('live', 'live_orders')
    const nothing = { families: [], payments: [], orders: [] }
    for (const q of ['0977123', '12345', 'mutinta@', 'example.org', 'inta Chis', 'chisenga']) {
      expect({ q, found: await found(q, by) }).toEqual({ q, found: nothing })
    }
    for (const q of ['mutinta@example.org', 'Mutinta Chisenga', '+260 977 123456'])
      expect((await found(q, by)).payments).toEqual(['mutinta.moyo'])
  })

  test.each<FeatureName>(['menu', 'kitchen', 'cycles', 'history', 'revenue', 'admins', 'settings'])(
    'who has %s alone may not search',
    async (feature) => {
      const by = await canteen.administrator(`only-${feature}`, feature)
      expect(await refused(search('mutinta', by))).toMatchObject({ status: 403 })
    },
  )

  test('two characters are too few, and signs of patterns are characters', async () => {
    expect(await refused(search(' mo '))).toMatchObject({ status: 422 })
    for (const q of ['%%%', '___', "';--", '\\\\\\'])
      expect(await found(q)).toEqual({ families: [], payments: [], orders: [] })
  })

  test('a search that takes too long ends, in words', async () => {
    const { pool } = canteen.infrastructure.database
    const client = await pool.connect()
    try {
      await client.query('begin; lock table payments.attempts in access exclusive mode')
      const slow = await refused(search('mutinta'))
      expect(slow).toMatchObject({ status: 503, code: 'find_took_too_long' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('family', () => {
  beforeAll(async () => {
    ;({ mutinta, grace } = canteen)
    await canteen.verify([mutinta.orders[0]!])
  })

  const page = (id: number, by: Client = canteen.superadminClient) => by.call(getFamily, { params: { id } })

  test('the page of a family says in plain sentences what became of its payments, and what helps', async () => {
    const moyo = await page(mutinta.id)
    expect(moyo).toMatchObject({
      parent: { id: mutinta.id, username: 'mutinta.moyo', phone: '+260 97 712 3456' },
      children: [{ name: 'mutinta.moyo 9' }, { name: 'mutinta.moyo 3' }],
      status: [
        `Paid K45.50 by Airtel, one meal; K45.50 by Airtel not paid yet, one meal, reference ${mutinta.reference}`,
      ],
      upcoming: [
        {
          id: mutinta.orders[0],
          mealDate: '2026-09-15',
          paymentStatus: 'confirmed',
          reference: mutinta.reference,
        },
        {
          id: mutinta.orders[1],
          mealDate: '2026-09-16',
          paymentStatus: 'pending',
          payBy: 'airtel',
          lapsesAt: null,
        },
      ],
      money: {
        unpaid: 45.5,
        owedBack: 0,
        help: { what: 'verify', about: mutinta.reference },
        payments: [
          {
            reference: mutinta.reference,
            amount: 91,
            unpaid: 45.5,
            receipts: [expect.stringMatching(/^2026-\d{6}$/)],
            unpaidOrders: [{ id: mutinta.orders[1], amount: 45.5 }],
          },
        ],
        refunds: [],
      },
      credit: { balance: 0, held: 0, entries: [] },
    })
    expect((await page(grace.id)).status).toEqual(['Paid K45.50 by card, one meal'])
  })

  test('its messages say whether they left, and its history names people, children and meals, never ids', async () => {
    const moyo = await page(mutinta.id)
    expect(moyo.messages.map(({ to, subject, state }) => ({ to, subject, state }))).toContainEqual({
      to: 'mutinta@example.org',
      subject: expect.stringContaining('How to pay'),
      state: 'sent',
    })
    expect(moyo.reachedBy).toEqual(['mail'])
    await canteen.infrastructure.database.pool.query(`update identity.users set email = null where id = $1`, [
      mutinta.id,
    ])
    expect((await page(mutinta.id)).reachedBy).toEqual([])
    expect(moyo.history.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('Ordered Stew for mutinta.moyo 9 on 2026-09-15'),
    )
    const told = JSON.stringify([...moyo.history, ...(await page(grace.id)).history])
    expect(told).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|\d\.\d{4}-\d\d-\d\d|student \d|item \d|user \d/)
  })

  test('it is for the features that show families, and there is none of an administrator', async () => {
    for (const feature of featureNames) {
      const by = await canteen.administrator(`page-${feature}`, feature)
      const status = await page(mutinta.id, by).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
      expect({ feature, status }).toEqual({ feature, status: isFor(feature) ? 200 : 403 })
    }
    expect(await refused(page(1))).toMatchObject({ status: 404, code: 'family_not_found' })
    expect(await refused(page(999_999))).toMatchObject({ status: 404, code: 'family_not_found' })
  })
  const isFor = (feature: FeatureName): boolean => familyFeatures.some((one) => one === feature)
})
