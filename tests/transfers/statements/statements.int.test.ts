import type { BodyOf } from '#contracts/endpoint'
import { updateProfile } from '#contracts/identity'
import {
  confirmStatement,
  ignoreStatementRow,
  listStatements,
  statementRows,
  unignoreStatementRow,
} from '#contracts/transfers'
import { forgetPayersOf } from '#modules/transfers/statements/statement-rows.rows'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../../payments/alternative-canteen'
import { airtelFile, sendStatement, uploaded } from '../../support/upload-statement'

let canteen: AlternativeCanteen

beforeAll(async () => {
  canteen = await openAlternativeCanteen({ ROLE: 'web' })
})
afterAll(() => canteen.close())

const office = () => canteen.superadminClient

describe('statements', () => {
  let mwila: string
  let grace: string
  let orderIds: { mwila: string[]; grace: string[] }

  const checkout = async (username: string, ...days: number[]) => {
    const { parent, children } = await canteen.payingFamily(username, '9')
    const { orders, payment } = await order(
      parent,
      days.map((day) => canteen.stewFor(children[0]!, day)),
    )
    return {
      parent,
      child: children[0]!,
      reference: payment!.reference,
      orderIds: orders.map(({ id }) => id),
    }
  }
  beforeAll(async () => {
    const [first, second] = [await checkout('mwila', 2, 3), await checkout('grace', 2)]
    mwila = first.reference
    grace = second.reference
    orderIds = { mwila: first.orderIds, grace: second.orderIds }
  })
  const rowsOf = async (id: number, query: { state?: string; page?: number; limit?: number } = {}) =>
    office().call(statementRows, { params: { id }, query })

  test('a statement is read, its rows are matched, and the same again or an overlapping one adds only what is new', async () => {
    const first = `MP1,13/09/2026 06:39:12,0977111111,MWILA,91.00,lunch ${mwila.toLowerCase()},Transaction Success`
    const second = 'MP2,13/09/2026 06:40:00,0977222222,SOMEBODY,12.00,rent,Transaction Success'
    const file = airtelFile(
      first,
      second,
      'MP3,13/09/2026,0977333333,X,5.00,x,Transaction Failed',
      'MP4,soon,,,7,,TS',
    )
    const statement = await uploaded(office(), { bytes: file, name: 'week.csv' })
    expect(statement).toEqual({
      id: expect.any(Number),
      source: 'airtel',
      rows: 4,
      moneyIn: 2,
      amountIn: 103,
      new: 2,
      known: 0,
      errors: [{ row: 5, message: 'The date soon cannot be read' }],
      leftOut: [{ row: 4, reason: 'failed: Transaction Failed', amount: 5 }],
      leftOutCount: 1,
      notes: [],
      proof: null,
    })
    const { data, metadata } = await rowsOf(statement.id)
    expect(metadata).toMatchObject({ total: 2, pageSize: 50 })
    expect(data).toEqual([
      {
        id: expect.any(String),
        at: '2026-09-13T04:39:12.000Z',
        amount: 91,
        payer: 'MWILA',
        phone: '0977111111',
        text: `lunch ${mwila.toLowerCase()}`,
        transactionId: 'MP1',
        state: 'suggested',
        match: {
          orderIds: orderIds.mwila,
          references: [mwila],
          parent: { id: expect.any(Number), username: 'mwila', name: expect.any(String) },
          parents: [expect.objectContaining({ username: 'mwila' })],
          amount: 91,
          certainty: 'exact',
          why: `${mwila} is in the text, and K91.00 is what is unpaid on it`,
        },
        named: null,
        paid: null,
      },
      expect.objectContaining({ transactionId: 'MP2', state: 'open', match: null, named: null }),
    ])
    expect(await uploaded(office(), { bytes: file, source: 'Our phone' })).toMatchObject({ new: 0, known: 2 })
    const overlapping = airtelFile(
      second.replace('MP2', ' mp 2'),
      `MP5,14/09/2026 06:41:00,0977444444,GRACE,20.00,${grace},Transaction Success`,
    )
    const next = await uploaded(office(), { bytes: overlapping })
    expect(next).toMatchObject({ new: 1, known: 1 })
    expect((await rowsOf(next.id)).data).toMatchObject([
      {
        state: 'open',
        match: null,
        named: {
          references: [grace],
          orderIds: orderIds.grace,
          amount: 45.5,
          parents: [{ username: 'grace' }],
        },
      },
    ])
  })

  test('statements are listed with the states of their rows, the newest first; a row is set aside and opened again', async () => {
    const bytes = airtelFile(
      'MQ1,14/09/2026 06:41:00,0977555555,LANDLORD,700.00,rent,Transaction Success',
      'MQ2,14/09/2026 06:42:00,0977555555,LANDLORD,701.00,rent,Transaction Success',
    )
    const { id } = await uploaded(office(), { bytes, name: 'rent.csv' })
    const [row] = (await rowsOf(id)).data
    await office().call(ignoreStatementRow, { params: { id: row!.id } })
    await office().call(ignoreStatementRow, { params: { id: row!.id } })
    const { data } = await office().call(listStatements)
    expect(data[0]).toEqual({
      id,
      source: 'airtel',
      fileName: 'rent.csv',
      uploadedAt: expect.any(String),
      uploadedBy: expect.stringMatching(/\w/),
      counts: { open: 1, suggested: 0, exact: 0, likely: 0, confirmed: 0, ignored: 1 },
    })
    expect((await rowsOf(id, { state: 'ignored' })).data).toMatchObject([{ id: row!.id, state: 'ignored' }])
    expect((await rowsOf(id, { state: 'open', limit: 1 })).metadata).toMatchObject({
      total: 1,
      totalPages: 1,
    })
    await office().call(unignoreStatementRow, { params: { id: row!.id } })
    expect((await rowsOf(id, { state: 'ignored' })).data).toEqual([])
    const unknown = '5b1e0c52-6a0f-4c83-8f57-3d1c2a9e7b44'
    await expect(office().call(ignoreStatementRow, { params: { id: unknown } })).rejects.toMatchObject({
      status: 404,
      body: { code: 'row_not_found' },
    })
    await expect(rowsOf(9999)).rejects.toMatchObject({ status: 404, body: { code: 'statement_not_found' } })
  })

  test("a bank's file is mapped once; from then on it is known by its heads", async () => {
    const heads = ['Posted', 'Narrative', 'Out', 'In']
    const bank = (...lines: string[]) => ['Account;123', heads.join(';'), ...lines].join('\n')
    const fee = '13/09/2026;fee;5,00;'
    const gift = '13/09/2026;gift;;"1.045,50"'
    const asked = await sendStatement(office(), { bytes: bank(fee, gift), source: 'bank' })
    expect(asked).toEqual({
      status: 422,
      body: expect.objectContaining({
        code: 'mapping_needed',
        heads,
        sample: [
          ['13/09/2026', 'fee', '5,00', ''],
          ['13/09/2026', 'gift', '', '1.045,50'],
        ],
        message: 'We guessed columns from the headings and first rows. Check them, then go on.',
        guess: { at: 'Posted', in: 'In', out: 'Out', text: 'Narrative' },
      }),
    })
    const wrong = { at: 'Posted', amount: 'Sum' }
    const wronglyMapped = await sendStatement(office(), { bytes: bank(fee), source: 'bank', mapping: wrong })
    expect([wronglyMapped.status, wronglyMapped.body.code]).toEqual([422, 'mapping_needed'])
    const senseless = await sendStatement(office(), {
      bytes: bank(fee),
      source: 'bank',
      mapping: { at: 'Posted' },
    })
    expect([senseless.status, senseless.body.code]).toEqual([422, 'validation_failed'])

    const mapping = { at: 'Posted', in: 'In', out: 'Out', text: 'Narrative' }
    const first = await uploaded(office(), { bytes: bank(fee, gift, gift), source: 'bank', mapping })
    expect(first).toMatchObject({ source: 'bank', rows: 3, moneyIn: 2, new: 2, known: 0, errors: [] })
    const again = bank(gift, gift, gift)
    expect(await uploaded(office(), { bytes: again, source: 'Zanaco' })).toMatchObject({ new: 1, known: 2 })
  })

  const fromChola = (id: string, text: string) =>
    `${id},14/09/2026 07:00:00,0977666666,CHOLA PHIRI,45.50,${text},Transaction Success`

  test('a phone that paid is remembered for its family, until that is deleted with what statements say of its payers', async () => {
    const chola = await checkout('chola', 4)
    const bytes = airtelFile(fromChola('MR1', chola.reference), fromChola('MR2', 'once more'))
    const { id } = await uploaded(office(), { bytes })
    const confirmed = await office().call(confirmStatement, { params: { id }, body: { allExact: true } })
    expect(confirmed).toEqual({ confirmed: 1, skipped: [] })
    const [paid] = (await rowsOf(id)).data
    expect(paid).toMatchObject({
      state: 'confirmed',
      match: null,
      paid: { families: [{ orderIds: chola.orderIds }] },
    })
    await order(chola.parent, [canteen.stewFor(chola.child, 5)])
    expect((await rowsOf(id, { state: 'suggested' })).data).toMatchObject([
      { transactionId: 'MR2', match: { certainty: 'likely', parent: { username: 'chola' } } },
    ])
    const { knex } = canteen.infrastructure.database
    const userId = paid!.paid!.families[0]!.parent.id
    await forgetPayersOf(knex, { userId, references: [chola.reference] })
    const forgotten = { payer: null, phone: null, text: null }
    expect((await rowsOf(id)).data).toMatchObject([
      { ...forgotten, transactionId: 'MR1' },
      { ...forgotten, transactionId: 'MR2' },
    ])
    expect(await uploaded(office(), { bytes })).toMatchObject({ new: 0, known: 2 })
  })

  test('a phone that a stranger typed into the profile pays nothing, until it is verified', async () => {
    const { parent, userId, children } = await canteen.payingFamily('stranger', '9')
    await order(parent, [canteen.stewFor(children[0]!, 2)])
    await parent.call(updateProfile, {
      body: {
        name: 'Stranger Daka',
        email: 'stranger@example.org',
        phone: '0977 555 555',
        currentPassword: 'parent-password',
      },
    })
    const bytes = airtelFile(
      'MS1,14/09/2026 07:00:00,260977555555,RUTH SIMWANZA,45.50,lunch,Transaction Success',
    )
    const { id } = await uploaded(office(), { bytes })
    expect((await rowsOf(id)).data).toMatchObject([{ state: 'open', match: null }])
    const { pool } = canteen.infrastructure.database
    await pool.query(`update identity.users set "phoneVerifiedAt" = now() where id = $1`, [userId])
    expect((await rowsOf(id)).data).toMatchObject([
      { state: 'suggested', match: { certainty: 'likely', parent: { username: 'stranger' } } },
    ])
  })

  test('a row that is set aside, fits nothing or is named twice is skipped, each with its reason', async () => {
    const lines = ['MT1', 'MT2', 'MT3'].map(
      (one) => `${one},14/09/2026 08:00:00,0977888888,${one},45.50,rent,Transaction Success`,
    )
    const { id } = await uploaded(office(), { bytes: airtelFile(...lines) })
    const [ignored, strange, twice] = (await rowsOf(id)).data.map((row) => row.id) as [string, string, string]
    await office().call(ignoreStatementRow, { params: { id: ignored } })
    const outcome = async (body: BodyOf<typeof confirmStatement>) => {
      const { confirmed, skipped } = await office().call(confirmStatement, { params: { id }, body })
      return [confirmed, ...skipped.map(({ rowId, code }) => [rowId, code])]
    }
    const rows = [ignored, twice, twice].map((rowId) => ({ rowId, orderIds: orderIds.grace }))
    expect(await outcome({ rows })).toEqual([0, [ignored, 'row_ignored'], [twice, 'row_twice']])
    expect(await outcome({ allLikely: [strange] })).toEqual([0, [strange, 'no_match']])
  })

  const refusedAs = async (sent: Parameters<typeof sendStatement>[1]) => {
    const { status, body } = await sendStatement(office(), sent)
    return [status, body.code]
  }

  test('what is no statement is refused, and only who may see Pending Payments sends one', async () => {
    const workbook = Buffer.from([0x50, 0x4b, 3, 4, 20, 0])
    expect(await refusedAs({ bytes: workbook, name: 'statement.csv' })).toEqual([422, 'not_csv'])
    expect(await refusedAs({ bytes: airtelFile(), source: ' ' })).toEqual([422, 'validation_failed'])
    const [source, name] = ['bank\0', 'May\0.csv']
    expect(await refusedAs({ bytes: airtelFile(), source })).toEqual([400, 'upload_malformed'])
    expect(await refusedAs({ bytes: airtelFile(), name })).toEqual([400, 'upload_malformed'])
    const mapping = { at: 'Date\0', amount: 'Amount' }
    expect(await refusedAs({ bytes: 'Date,Amount\n13/09/2026,7', source: 'bank', mapping })).toEqual([
      422,
      'mapping_needed',
    ])
    const many = Array.from({ length: 10_001 }, (_, n) => `M${n},13/09/2026,,,1,,TS`)
    expect(await refusedAs({ bytes: airtelFile(...many) })).toEqual([413, 'too_many_rows'])
    expect(await refusedAs({ bytes: 'x'.repeat(5 * 1024 * 1024 + 1) })).toEqual([413, 'file_too_large'])
    const kitchen = await canteen.administrator('cook', 'menu')
    expect((await sendStatement(kitchen, { bytes: airtelFile() })).status).toBe(403)
  })
})

const refusedWith = async (sent: Parameters<typeof sendStatement>[1]) => {
  const { status, body } = await sendStatement(office(), sent)
  return { status, ...body }
}

const file = (separator: string, ...lines: string[][]) =>
  [['Txn Date', 'Narrative', 'Amount', 'Dr/Cr'], ...lines].map((cells) => cells.join(separator)).join('\n')

test('a column that says which way money went is asked for, named, and kept, also by a file with another separator', async () => {
  const deposit = ['02/09/2026', 'DEPOSIT MARY BANDA', '450.00', 'CR']
  const payout = ['03/09/2026', 'PAYMENT MEAT SUPPLIER', '300.00', 'DR']
  const mapping = { at: 'Txn Date', amount: 'Amount', text: 'Narrative' }
  const asked = await refusedWith({ bytes: file(',', deposit, payout), source: 'bank', mapping })
  expect(asked).toMatchObject({
    status: 422,
    code: 'mapping_needed',
    heads: ['Txn Date', 'Narrative', 'Amount', 'Dr/Cr'],
    guess: { ...mapping, direction: 'Dr/Cr' },
    message: expect.stringContaining('Dr/Cr'),
  })
  const first = {
    bytes: file(',', deposit, payout),
    source: 'bank',
    mapping: { ...mapping, direction: 'Dr/Cr' },
  }
  expect(await uploaded(office(), first)).toMatchObject({ rows: 2, moneyIn: 1, new: 1, errors: [] })
  const torn = [
    ['04/09/2026', 'TRF, BANDA, M', '75,00', 'CR'],
    ['05/09/2026', 'TRF, ZULU, J', '76,00', 'CR'],
    ['06/09/2026', 'TRF, DAKA, J', '77,00', 'REV'],
  ]
  expect(await uploaded(office(), { bytes: file(';', ...torn), source: 'bank' })).toMatchObject({
    moneyIn: 2,
    new: 2,
    errors: [{ row: 4, message: 'We do not know whether REV means money in or money out' }],
  })
})

const paid = (id: string, amount: string, payer = 'RUTH') =>
  `${id},12/09/2026 07:00:00,0977777777,${payer},${amount},x,Transaction Success`

test('an id that an earlier statement has with other facts is an error that names both, never known', async () => {
  const first = await uploaded(office(), { bytes: airtelFile(paid('QT1', '45.00'), paid('QT2', '45.00')) })
  const again = airtelFile(
    paid('qt-1.', '46.00'),
    paid('QT2', '45.00'),
    paid('QT3', '45.00'),
    paid('QT3', '47.00'),
  )
  expect(await uploaded(office(), { bytes: again })).toMatchObject({
    moneyIn: 2,
    new: 1,
    known: 1,
    errors: [
      {
        row: 2,
        message: `Statement ${first.id} has the transaction id qt-1. with another amount, payer, phone, text or time than row 2`,
      },
      { row: 5, message: expect.stringContaining('Rows 4 and 5 have the transaction id QT3') },
    ],
  })
})

test('a file whose headings, ids or account nobody can tell adds nothing', async () => {
  const texts =
    'Date,Paid in,Reference\n02/09/2026,45.00,LUNCH\n03/09/2026,46.00,LUNCH\n04/09/2026,47.00,lunch\n'
  const mapping = { at: 'Date', amount: 'Paid in', transactionId: 'Reference' }
  expect(await refusedWith({ bytes: texts, source: 'bank', mapping })).toMatchObject({
    status: 422,
    code: 'mapping_needed',
    guess: { at: 'Date', amount: 'Paid in' },
    message: expect.stringContaining('Reference is no column of transaction ids'),
  })
  expect(
    await refusedWith({ bytes: '02.09.2026;BANDA;450,00\n03.09.2026;PHIRI;75,00\n', source: 'bank' }),
  ).toMatchObject({
    status: 422,
    code: 'no_headings',
  })
  const mtn =
    'Id,Date,Status,Type,From,From name,To,Amount\n1,2026-09-03,Successful,Transfer,FRI:260961000001/MSISDN,NORTHSIDE,FRI:260961110008/MSISDN,300\n'
  expect(await refusedWith({ bytes: mtn, source: 'mtn' })).toMatchObject({
    status: 422,
    code: 'own_account_unclear',
  })
})
