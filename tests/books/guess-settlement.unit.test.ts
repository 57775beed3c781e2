import { likelyHead, openCsvFile, tableUnder } from '#platform/csv-file'
import { inSlices } from '#platform/pacing'
import {
  directionNeeded,
  guessSettlement,
  unmappedType,
} from '../../src/modules/books/settlements/guess-settlement.decide'
import { bankFile } from '../support/bank-file'

const token = (number: number) => `1A2B3C4D-0000-4000-8000-00000000000${number}`

const table = (text: string) => {
  const [heads = '', ...lines] = text.trim().split('\n')
  const rows = lines.map((line, index) => ({ row: index + 2, cells: line.trim().split(';') }))
  return { heads: heads.trim().split(';'), rows }
}

describe('the columns of an unknown settlement', () => {
  test.each([
    [
      "the provider's names",
      `Transaction Token;Trans Ref;Company Ref;Transaction Type;Status;Transaction Date;Gross Amount;Commission;Rolling Reserve;Net Amount
       ${token(1)};R4971;LP-7K3QW9ZD2M;Payment;Settled;2026/11/02 07:41;145.00;-3.63;-14.50;126.87
       ${token(2)};R4972;LP-8K3QW9ZD2M;Refund;Settled;2026/11/02 08:12;-45.00;;;-45.00`,
      {
        token: 'Transaction Token',
        transRef: 'Trans Ref',
        companyRef: 'Company Ref',
        type: 'Transaction Type',
        status: 'Status',
        at: 'Transaction Date',
        gross: 'Gross Amount',
        fee: 'Commission',
        reserve: 'Rolling Reserve',
        net: 'Net Amount',
      },
    ],
    [
      'our reference under any heading, and the day of the payment before that of the settlement',
      `Settlement date;Paid on;Order;Amount;Fees;Payout
       05/11/2026;02/11/2026;LP-7K3QW9ZD2M;145.00;3.63;141.37
       05/11/2026;03/11/2026;LP-8K3QW9ZD2M;90.00;2.25;87.75`,
      { companyRef: 'Order', at: 'Paid on', gross: 'Amount', fee: 'Fees', net: 'Payout' },
    ],
    [
      'a receipt number and no fee',
      `Date;Receipt No;Category;Value (ZMW);Net
       2026-11-02;R4971;Sale;145.00;141.37
       2026-11-02;R4972;Chargeback;90.00;-90.00`,
      { transRef: 'Receipt No', at: 'Date', type: 'Category', gross: 'Value (ZMW)', net: 'Net' },
    ],
    [
      'the day of the payment before that on which it can be paid out, and what was charged for no fee',
      `Available On (UTC);Created (UTC);order;Amount;Charged amount;App fee;Net
       05/11/2026;02/11/2026;LP-7K3QW9ZD2M;145.00;150.00;3.63;141.37
       05/11/2026;03/11/2026;LP-8K3QW9ZD2M;90.00;95.00;2.25;87.75`,
      { companyRef: 'order', at: 'Created (UTC)', gross: 'Amount', fee: 'App fee', net: 'Net' },
    ],
  ])('%s', async (_what, text, guess) => {
    expect(await inSlices(guessSettlement(table(text)))).toEqual({ guess, isWhole: true })
  })

  test('a file without amounts is half guessed', async () => {
    const text = `Company Ref;Date\nLP-7K3QW9ZD2M;2026-11-02`
    expect(await inSlices(guessSettlement(table(text)))).toEqual({
      guess: { companyRef: 'Company Ref', at: 'Date' },
      isWhole: false,
    })
  })

  test('a file of something else is not guessed', async () => {
    expect(await inSlices(guessSettlement(table('Name;Class\nBupe;4B')))).toEqual({
      guess: {},
      isWhole: false,
    })
  })

  test('with CR and DR in words needs the column that says so, never that of the fee', async () => {
    const file = openCsvFile(bankFile('t4-c05z-credit-and-debit-in-words.csv'))
    const read = await tableUnder(file, likelyHead(file), 100)
    const direction = 'Transaction Debit or Credit'
    expect((await inSlices(guessSettlement(read))).guess).toMatchObject({ direction })
    const mapping = { transRef: 'Transaction ID', gross: 'Gross Transaction Amount' }
    expect(await inSlices(directionNeeded(read, mapping))).toBe(direction)
    expect(await inSlices(directionNeeded(read, { ...mapping, direction: null }))).toBeNull()
  })

  test('a column of types under another head is needed where it names refunds that no sign tells', async () => {
    const file = (...words: string[]) =>
      table(['Ref;Details;Amount', ...words.map((word, at) => `R${at};${word};45.00`)].join('\n'))
    const mapping = { transRef: 'Ref', gross: 'Amount' }
    const sales = file('PURCHASE', 'REFUND', 'CASHBACK', 'PURCHASE REVERSAL')
    expect(await inSlices(unmappedType(sales, mapping))).toBe('Details')
    expect(await inSlices(unmappedType(sales, { ...mapping, type: null }))).toBeNull()
    for (const words of [
      ['PURCHASE', 'SALE'],
      ['Lunch', 'Refund of a trip', 'Books'],
    ])
      expect(await inSlices(unmappedType(file(...words), mapping))).toBeNull()
  })
})
