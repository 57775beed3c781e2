import { amountsRead as amounts, money } from './read-statement'

const types = (...words: string[]) =>
  `Date,Amount,Type\n${words.map((word) => `02/11/2026,45.00,${word}`).join('\n')}\n`
const inCurrencies = (head: string) =>
  `Date,Text,Amount,${head}\n02/11/2026,A,45.00,USD\n03/11/2026,B,46.00,ZMW\n04/11/2026,C,47.00,Kwacha\n05/11/2026,D,48.00,\n06/11/2026,E,49.00,ZAR\n`

describe('what says in a column of types that money went out', () => {
  test('is no income of a mapped file, also where few rows say so', async () => {
    const file = types('Cash out', 'Transfer', 'EFT', 'Lunch', 'Withdrawal', 'Transfer')
    expect(await amounts(file, { at: 'Date', amount: 'Amount' })).toEqual(money(45, 45, 45, 45))
  })

  test.each(['Commission', 'Levy', 'Tax', 'Merchant to Customer', 'Wallet to Bank', 'Sortant', 'CASHOUT'])(
    'as %s, is no income of a file of Airtel',
    async (type) => {
      const file = `Transaction ID,Transaction Date,Sender MSISDN,Amount,Status,Service Type\nA1,02/11/2026,0977000111,45.00,Success,${type}\nA2,02/11/2026,0977000111,46.00,Success,Merchant Payment\n`
      expect(await amounts(file)).toEqual(money(46))
    },
  )

  test('is heeded in each of several such columns', async () => {
    const file =
      'Transaction ID,Transaction Date,Sender MSISDN,Amount,Status,Entry Type,Direction\nA1,02/11/2026,0977000111,45.00,Success,CR,DR\nA2,02/11/2026,0977000111,46.00,Success,CR,CR\n'
    expect(await amounts(file)).toEqual(money(46))
  })
})

test('a column whose head says direction is asked for, whatever its words', async () => {
  for (const [head, one, other] of [
    ['Sens', 'E', 'X'],
    ['+/-', 'p', 'n'],
    ['D/C', '1', '2'],
    ['Af Bij', 'A', 'B'],
  ] as const) {
    const file = `Date,Amount,${head}\n02/11/2026,45.00,${one}\n03/11/2026,46.00,${other}\n`
    expect((await amounts(file, { at: 'Date', amount: 'Amount' })).asked).toBe(head)
  }
})

test('a balance and a sum that have a date are no payments', async () => {
  const texts = [
    'Opening Balance',
    'Balance b/f',
    'Closing balance:',
    'TOTAL',
    'Grand total',
    'Balance carried forward',
    'Solde initial',
    'Endsaldo',
  ]
  const file = `Date,Text,Amount\n${[...texts, 'Balance of lunch', 'Total lunch money'].map((text) => `02/11/2026,${text},45.00`).join('\n')}\n`
  expect(await amounts(file, { at: 'Date', amount: 'Amount' })).toMatchObject({
    in: [45, 45],
    wrong: [2, 3, 4, 5, 6, 7, 8, 9],
  })
})

test('money in another currency is an error of its row', async () => {
  for (const head of ['Currency', 'Ccy', 'transaction_currency', 'Devise'])
    expect(await amounts(inCurrencies(head), { at: 'Date', amount: 'Amount' })).toMatchObject({
      in: [46, 47, 48],
      wrong: [2, 6],
    })
})
