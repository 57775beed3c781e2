import { headersOf } from '#kernel/csv-headers'
import { withIds } from '#modules/transfers/statements/statement-rows.rows'
import { duesOf } from '../../support/families-that-pay'
import { readStatementFile as read } from './read-statement'
import { bankMapping, statementFiles } from '../../support/statement-files'
import { statementMonth } from '../../support/statement-month'

type Numbered = { transactionId: string | null }
const byTransaction = (one: Numbered, other: Numbered) => (one.transactionId! < other.transactionId! ? -1 : 1)

test('a month of files in three layouts, overlapping, is read as the payments that were made, each once', async () => {
  const from = new Date('2026-09-01T06:00:00Z')
  const transfers = statementMonth(duesOf(600, 300), { from })
  const found = new Map<string, Numbered>()
  let read3 = 0
  for (const { layout, bytes } of statementFiles(transfers, from)) {
    const file = layout === 'bank' ? await read(bytes, bankMapping) : await read(bytes)
    expect([file.layout, file.errors]).toEqual([layout === 'bank' ? null : layout, []])
    read3 += file.incoming.length
    for (const { id, row: _row, ...payment } of withIds(
      layout === 'bank' ? 'csv-bank' : layout,
      file.incoming,
    ))
      found.set(id, payment)
  }
  expect(read3).toBeGreaterThan(transfers.length)
  expect([...found.values()].toSorted(byTransaction)).toEqual(
    transfers
      .map(({ layout, transactionId, at, amount, payer, phone, text }) => ({
        transactionId,
        at,
        amount,
        payer,
        phone: layout === 'bank' ? null : phone,
        text,
      }))
      .toSorted(byTransaction),
  )
})

const mapping = { at: 'Date', amount: 'Amount', text: 'Text', transactionId: 'Id', status: 'Status' }
const row = (...cells: string[]) => `Date,Amount,Text,Id,Status\n${cells.join(',')}\n`

test.each([
  ['paid out', row('05/09/2026', '-45.50', 'LP', '1', 'Success')],
  ['failed', row('05/09/2026', '45.50', 'LP', '1', 'Failed')],
  ['unsuccessful', row('05/09/2026', '45.50', 'LP', '1', 'Unsuccessful')],
  ['waiting', row('05/09/2026', '45.50', 'LP', '1', 'Pending')],
  ['taken back', row('05/09/2026', '45.50', 'LP', '1', 'Reversed')],
  ['of no known state', row('05/09/2026', '45.50', 'LP', '1', '')],
  ['nothing', row('05/09/2026', '0.00', 'LP', '1', 'Success')],
  ['a sum at the end', row('', '1000.00', 'Total', '', 'Success')],
  ['a dash', row('05/09/2026', '-', 'Opening balance', '', 'Success')],
  ['the head once more', row('Date', 'Amount', 'Text', 'Id', 'Status')],
])('%s is no money that came in', async (_what, content) => {
  expect(await read(content, mapping)).toMatchObject({ rows: 1, incoming: [], errors: [] })
})

test.each([
  ['a date', row('yesterday', '45.50', 'LP', '1', 'Success'), 'The date yesterday cannot be read'],
  ['an amount', row('05/09/2026', '1.234', 'LP', '1', 'Success'), 'The amount 1.234 cannot be read'],
  ['too much', row('05/09/2026', '99999999', 'LP', '1', 'Success'), 'The amount 99999999 is too large'],
  [
    'a status',
    row('05/09/2026', '45.50', 'LP', '1', 'Frozen'),
    'Nobody knows whether Frozen means that the money came',
  ],
])('%s that cannot be read is reported with its row', async (_what, content, message) => {
  expect(await read(content, mapping)).toMatchObject({ incoming: [], errors: [{ row: 2, message }] })
})

test('a transaction id that a spreadsheet has shortened is refused, so that two payments are not taken for one', async () => {
  const { errors } = await read(row('05/09/2026', '45.50', 'LP', '1.23457E+12', 'Success'), mapping)
  expect(errors).toEqual([{ row: 2, message: expect.stringContaining('shortened the transaction id') }])
})

test('cells are read without what spreadsheets and phones put around them', async () => {
  const content = `Date,Amount,Text,Id,Phone\n05/09/2026 06:39,"K1,045.50","lunch  LP-7K3QW9 ",="0012",FRI:260977123456/MSISDN\n`
  const columns = { at: 'Date', amount: 'Amount', text: 'Text', transactionId: 'Id', phone: 'Phone' }
  expect((await read(content, columns)).incoming).toEqual([
    {
      row: 2,
      at: new Date('2026-09-05T04:39:00Z'),
      amount: 104_550,
      text: 'lunch LP-7K3QW9',
      transactionId: '0012',
      phone: '260977123456',
      payer: null,
    },
  ])
})

test('the month stands first where the file says so', async () => {
  const content = 'Date,Amount\n09/05/2026,45\n09/13/2026,45\n'
  const { incoming } = await read(content, { at: 'Date', amount: 'Amount' })
  expect(incoming.map(({ at }) => at.toISOString().slice(0, 10))).toEqual(['2026-09-04', '2026-09-12'])
})

test('what the school itself pays out on an MTN statement is no money that came in', async () => {
  const file = `Id,Date,Status,Type,From,From name,To,Amount
1,2026-09-05 06:39:12,Successful,Payment,FRI:260961111111/MSISDN,MARY BANDA,FRI:260960000000/MSISDN,45.50
2,2026-09-05 06:40:12,Successful,Payment,FRI:260962222222/MSISDN,PETER ZULU,FRI:260960000000/MSISDN,45.50
3,2026-09-05 06:41:12,Successful,Transfer,FRI:260960000000/MSISDN,SCHOOL,FRI:260963333333/MSISDN,45.50
4,2026-09-05 06:42:12,Successful,Cash out,FRI:260960000001/MSISDN,SCHOOL,FRI:260964444444/MSISDN,45.50
`
  const { layout, rows, incoming } = await read(file)
  expect([layout, rows, incoming.map(({ payer }) => payer)]).toEqual(['mtn', 4, ['MARY BANDA', 'PETER ZULU']])
})

test('repeated heads have names of their own, and empty ones a number', () => {
  expect(headersOf(['Amount', ' Currency', '', 'amount', 'Currency ', ''])).toEqual([
    'Amount',
    'Currency',
    'Column 3',
    'amount (2)',
    'Currency (2)',
  ])
})

const paidBy = (payer: string) => ({
  at: new Date('2026-09-05T04:39:00Z'),
  amount: 4550,
  payer,
  phone: null,
  text: 'lunch',
  transactionId: null,
})

test('the nth equal payment without an id is the nth, whatever stands around it', () => {
  const [first, second, third] = withIds('csv-a', [paidBy('Mary'), paidBy('Peter'), paidBy('Mary')])
  const [again, more] = withIds('csv-a', [paidBy('Mary'), paidBy('Mary'), paidBy('Mary')])
  expect([again!.id, more!.id]).toEqual([first!.id, third!.id])
  expect(second!.id).not.toBe(first!.id)
  expect(withIds('csv-b', [paidBy('Mary')])[0]!.id).not.toBe(first!.id)
})

const idOf = (layout: 'airtel' | 'mtn', id: string) =>
  withIds(layout, [{ ...paidBy('Mary'), transactionId: id }])[0]!.id

test('a transaction id is compared without regard to case and spaces, in its own layout', () => {
  expect(idOf('airtel', 'mp 26.ab')).toBe(idOf('airtel', 'MP26.AB'))
  expect(idOf('airtel', 'MP26.AB')).not.toBe(idOf('mtn', 'MP26.AB'))
})
