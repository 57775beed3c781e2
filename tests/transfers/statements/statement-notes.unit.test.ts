import type { StatementMapping } from '#contracts/transfers'
import { readStatementFile as read } from './read-statement'

const plain: StatementMapping = { at: 'Date', text: 'Text', amount: 'Amount' }
const lines = (heads: string, ...rows: string[]) => [heads, ...rows].join('\n')

describe('notes', () => {
  const dates = (...days: string[]) => lines('Date,Text,Amount', ...days.map((day) => `${day},A,45.00`))

  test('tell the order of dates where days and months could be confused', async () => {
    expect((await read(dates('01/11/2026', '06/11/2026'), plain)).notes).toEqual([
      'Dates are read as day/month: first 1 November, last 6 November',
    ])
    expect((await read(dates('01/11/2026', '16/11/2026'), plain)).notes).toEqual([])
    expect((await read(dates('11/01/2026', '11/16/2026'), plain)).notes).toEqual([
      'Dates are read as month/day: first 1 November, last 16 November',
    ])
    expect((await read(dates('2026-11-01'), plain)).notes).toEqual([])
  })

  test('tell it where a spreadsheet has turned round the dates that it could read', async () => {
    const note = 'Dates are read as day/month: first 11 February, last 24 November'
    for (const turned of ['11/02/2026', '2026-02-11'])
      expect((await read(dates(turned, '13/11/2026', '24/11/2026'), plain)).notes).toEqual([note])
  })

  test('tell that money in is read from a column whose head says money out, unless the balance proves it', async () => {
    const file = lines('Date,Debit,Balance', '14/11/2026,45.00,45.00', '16/11/2026,46.00,91.00')
    const mapping = { at: 'Date', amount: 'Debit' }
    expect((await read(file, mapping)).notes).toEqual(['Money in is read from the column Debit'])
    expect((await read(file, { ...mapping, balance: 'Balance' })).notes).toEqual([])
  })

  test('tell that a file is not in UTF-8', async () => {
    const file = Buffer.from(dates('16/11/2026').replace(',A,', ',José,'), 'latin1')
    expect((await read(file, plain)).notes).toEqual([
      'The file is not UTF-8 and was read as Western European: letters such as é, ł or я may be wrong',
    ])
  })
})

test('a text that goes on in the next line is left out in sight', async () => {
  const file = lines('Date,Text,Amount', '16/11/2026,TRF FROM MWILA,45.00', ',BANDA LP-ABCDEF,')
  const { leftOut } = await read(file, plain)
  expect(leftOut.map(({ reason }) => reason)).toEqual(['no amount: BANDA LP-ABCDEF'])
})

test('a text keeps a reference that stands far behind, and an id that is too long is an error', async () => {
  const text = `${'lunch '.repeat(200)}LP-ABCDEF`
  const file = lines(
    'Date,Text,Amount,Id',
    `16/11/2026,${text},45.00,A1`,
    `16/11/2026,B,46.00,${'1'.repeat(101)}`,
  )
  const { incoming, errors } = await read(file, { ...plain, transactionId: 'Id' })
  expect(incoming.map((row) => row.text)).toEqual([text])
  expect(errors).toEqual([{ row: 3, message: 'The transaction id has more than 100 letters' }])
})
