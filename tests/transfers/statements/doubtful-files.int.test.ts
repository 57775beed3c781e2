import { airtelFile, sendStatement, uploaded } from '../../support/upload-statement'
import { openAlternativeCanteen, type AlternativeCanteen } from '../../payments/alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

const office = () => canteen.superadminClient
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
    errors: [{ row: 4, message: 'Nobody knows whether REV means money in or money out' }],
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
        message: `Statement ${first.id} has the transaction id qt-1. with another amount, payer or time than row 2`,
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
