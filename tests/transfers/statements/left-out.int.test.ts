import type { BodyOf } from '#contracts/endpoint'
import {
  countIn,
  ignoreStatementRows,
  leftOutOfStatement,
  statementRows,
  unignoreStatementRows,
} from '#contracts/transfers'
import { forgetInStatements } from '#modules/transfers/statements/statement-rows.rows'
import { type AlternativeCanteen, openAlternativeCanteen } from '../../payments/alternative-canteen'
import { sendStatement, uploaded } from '../../support/upload-statement'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

const office = () => canteen.superadminClient
const mapping = { at: 'Posted', text: 'Words', amount: 'Sum', payer: 'Who' }
const fileOf = (...lines: string[]) => ['Posted,Words,Sum,Who,Type', ...lines].join('\n')
const send = (bytes: string, more: object = mapping) =>
  uploaded(office(), { bytes, source: 'bank', mapping: more as typeof mapping })
const rowsOf = async (id: number) => (await office().call(statementRows, { params: { id }, query: {} })).data
const leftOutOf = async (id: number, page?: number) =>
  office().call(leftOutOfStatement, { params: { id }, query: { page } })
const count = (id: number, body: BodyOf<typeof countIn>) => office().call(countIn, { params: { id }, body })

describe('rows of a statement that do not count', () => {
  test('are in its answer, the first 200, and all of them are listed, 50 a page', async () => {
    const fees = Array.from({ length: 230 }, (_, index) => `13/09/2026,fee ${index},-${index + 1}.00,,`)
    const answer = await send(fileOf('13/09/2026,lunch,45.00,MARY,', ...fees, 'soon,x,4,,'))
    expect(answer).toMatchObject({ rows: 232, new: 1, known: 0, leftOutCount: 230, proof: null, notes: [] })
    expect(answer.leftOut).toHaveLength(200)
    expect(answer.leftOut[0]).toEqual({ row: 3, reason: 'money out', amount: 1 })
    expect(answer.new + answer.known + answer.leftOutCount + answer.errors.length).toBe(answer.rows)
    const last = await leftOutOf(answer.id, 5)
    expect(last.metadata).toMatchObject({ total: 230, pageSize: 50, totalPages: 5 })
    expect(last.data).toHaveLength(30)
    expect(last.data.at(-1)).toEqual({ row: 232, reason: 'money out', amount: 230 })
    await expect(leftOutOf(9999)).rejects.toMatchObject({
      status: 404,
      body: { code: 'statement_not_found' },
    })
  })

  test('are counted in by hand, once, also by another upload of the file', async () => {
    const file = fileOf('14/09/2026,lunch of Bupe,45.00,MARY BANDA,Wallet to Bank', '14/09/2026,x,46.00,,')
    const { id, leftOut } = await send(file)
    expect(leftOut).toEqual([{ row: 2, reason: 'money out: Wallet to Bank', amount: 45 }])
    const { rowId } = await count(id, { row: 2 })
    expect((await rowsOf(id)).find((row) => row.id === rowId)).toMatchObject({
      at: '2026-09-13T22:00:00.000Z',
      amount: 45,
      payer: 'MARY BANDA',
      text: 'lunch of Bupe',
      state: 'open',
    })
    expect((await leftOutOf(id)).data).toEqual([])
    const again = await send(file)
    expect(again).toMatchObject({ rows: 2, moneyIn: 2, new: 0, known: 2, leftOutCount: 0, errors: [] })
    for (const statement of [id, again.id])
      await expect(count(statement, { row: 2 })).rejects.toMatchObject({
        status: 409,
        body: { code: 'row_counted' },
      })
    const read = await send(file, { ...mapping, type: null })
    expect(read).toMatchObject({ new: 0, known: 2 })
  })

  test('that a mapping left out and another counts cannot be counted in by the first', async () => {
    const file = fileOf('13/09/2026,fees,77.00,RUTH,Fees')
    const undirected = { ...mapping, direction: null }
    const { id } = await send(file, undirected)
    expect(await send(file, { ...undirected, type: null })).toMatchObject({ new: 1 })
    await expect(count(id, { row: 2 })).rejects.toMatchObject({ status: 409, body: { code: 'row_counted' } })
  })

  test('ask for what they do not say', async () => {
    const { id, errors } = await send(fileOf(',lunch,47.00,JOHN,', '12/09/2026,note,,JOHN,', 'soon,x,5.00,,'))
    expect(errors.map(({ row }) => row)).toEqual([2, 4])
    const refused = (body: BodyOf<typeof countIn>) =>
      count(id, body).then(
        () => null,
        (error: { status: number; body: { code: string; fields?: object } }) => [
          error.status,
          error.body.code,
          Object.keys(error.body.fields ?? {}),
        ],
      )
    expect(await refused({ row: 2 })).toEqual([422, 'facts_missing', ['at']])
    expect(await refused({ row: 3 })).toEqual([422, 'facts_missing', ['amount']])
    expect(await refused({ row: 2, at: '2001-01-01', phone: '12' })).toEqual([
      422,
      'facts_missing',
      ['at', 'phone'],
    ])
    expect(await refused({ row: 2, at: '2026-09-12', transactionId: '--' })).toEqual([
      422,
      'facts_missing',
      ['transactionId'],
    ])
    expect(await refused({ row: 4, at: '2026-09-12' })).toEqual([404, 'row_not_found', []])
    expect(await refused({ row: 99 })).toEqual([404, 'row_not_found', []])
    const missing = await office()
      .call(countIn, { params: { id: 9999 }, body: { row: 2 } })
      .catch((error: { status: number }) => error.status)
    expect(missing).toBe(404)
    const { rowId } = await count(id, {
      row: 2,
      at: '2026-09-12',
      phone: '0977 123 456',
      transactionId: 'BN-1',
    })
    await count(id, { row: 3, amount: 48.5, payer: 'JOHN PHIRI', text: 'by hand' })
    const rows = await rowsOf(id)
    expect(rows.find((row) => row.id === rowId)).toMatchObject({
      amount: 47,
      payer: 'JOHN',
      phone: '0977123456',
      transactionId: 'BN-1',
    })
    expect(rows.find(({ amount }) => amount === 48.5)).toMatchObject({ payer: 'JOHN PHIRI', text: 'by hand' })
  })

  test('forget what they say of a family that is deleted', async () => {
    const { id } = await send(fileOf('12/09/2026,for Natasha Zimba,-9.00,NATASHA ZIMBA,'))
    const { knex, pool } = canteen.infrastructure.database
    await forgetInStatements(knex, ['Natasha Zimba'])
    const { rows } = await pool.query(
      'select payer, phone, text, amount from transfers.statement_left_out where statement_id = $1',
      [id],
    )
    expect(rows).toEqual([{ payer: null, phone: null, text: null, amount: 900 }])
  })
})

test('the balance proves a file in whole, and the answer says so', async () => {
  const file = [
    'Booked,Words,Sum,D/C,Left',
    '13/09/2026,A,45.00,x,145.00',
    '14/09/2026,B,50.00,y,95.00',
  ].join('\n')
  const mapped = { at: 'Booked', text: 'Words', amount: 'Sum', balance: 'Left' }
  const unproven = await sendStatement(office(), {
    bytes: file,
    source: 'bank',
    mapping: { at: 'Booked', text: 'Words', amount: 'Sum' },
  })
  expect([unproven.status, unproven.body]).toMatchObject([
    422,
    { code: 'mapping_needed', guess: { direction: 'D/C' } },
  ])
  expect(await send(file, { ...mapped, direction: null })).toMatchObject({
    proof: 'balance',
    leftOut: [{ row: 3, reason: 'money out', amount: 50 }],
    errors: [{ row: 2 }],
  })
})

test('a file in other money is refused', async () => {
  const bytes = 'Posted,Words,Amount (KES)\n13/09/2026,A,4500\n'
  const mapped = { at: 'Posted', amount: 'Amount (KES)' }
  const { status, body } = await sendStatement(office(), { bytes, source: 'bank', mapping: mapped })
  expect([status, body]).toMatchObject([422, { code: 'other_currency', message: 'This file is in KES.' }])
})

test('many rows are ignored at once and opened again; an unknown one is skipped', async () => {
  const { id } = await send(fileOf(...['A', 'B', 'C'].map((who) => `13/09/2026,Rent,700.00,${who},`)))
  const ids = (await rowsOf(id)).map((row) => row.id)
  const unknown = '5b1e0c52-6a0f-4c83-8f57-3d1c2a9e7b44'
  const rowIds = [...ids, ids[0]!, unknown]
  const skipped = [{ rowId: unknown, code: 'row_not_found', message: 'Row not found' }]
  expect(await office().call(ignoreStatementRows, { body: { rowIds } })).toEqual({ ignored: 3, skipped })
  expect((await rowsOf(id)).map(({ state }) => state)).toEqual(['ignored', 'ignored', 'ignored'])
  expect(await office().call(unignoreStatementRows, { body: { rowIds } })).toEqual({ ignored: 3, skipped })
  expect((await rowsOf(id)).map(({ state }) => state)).toEqual(['open', 'open', 'open'])
})

test('open rows of one text are named together over all pages, the most first', async () => {
  const lines = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => `15/09/2026,${text},${index + 1}.00,P ${index},`)
  const { id } = await send(fileOf(...lines(3, 'Hall hire'), ...lines(60, 'Uniforms'), ...lines(1, 'Once')))
  const read = () => office().call(statementRows, { params: { id }, query: { state: 'confirmed', page: 2 } })
  const [uniforms, hall, ...more] = (await read()).alike
  expect([uniforms, hall, more]).toMatchObject([
    { text: 'Uniforms', amount: 1830 },
    { text: 'Hall hire', amount: 6 },
    [],
  ])
  expect([uniforms, hall].map((group) => new Set(group?.rowIds).size)).toEqual([60, 3])
  await office().call(ignoreStatementRows, { body: { rowIds: uniforms!.rowIds } })
  expect((await read()).alike.map(({ text }) => text)).toEqual(['Hall hire'])
})

test('only who may see Pending Payments counts in or ignores', async () => {
  const cook = await canteen.administrator('cook', 'menu')
  const refused = { status: 403 }
  await expect(cook.call(countIn, { params: { id: 1 }, body: { row: 2 } })).rejects.toMatchObject(refused)
  await expect(cook.call(leftOutOfStatement, { params: { id: 1 }, query: {} })).rejects.toMatchObject(refused)
  const body = { rowIds: ['5b1e0c52-6a0f-4c83-8f57-3d1c2a9e7b44'] }
  await expect(cook.call(ignoreStatementRows, { body })).rejects.toMatchObject(refused)
  await expect(cook.call(unignoreStatementRows, { body })).rejects.toMatchObject(refused)
})
