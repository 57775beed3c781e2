import * as fc from 'fast-check'
import type { StatementMapping } from '#contracts/transfers'
import { bankFile } from '../../support/bank-file'
import { guessed, readStatementFile as read } from './read-statement'

/** What a file gives: kwacha that came in, rows left out with the reason, rows that are errors, and what proves it. */
const account = async (...asked: Parameters<typeof read>) => {
  const { incoming, leftOut, errors, proof, asked: question } = await read(...asked)
  return {
    in: incoming.map(({ amount }) => amount / 100),
    out: leftOut.map(({ row, reason }) => `${row} ${reason}`),
    wrong: errors.map(({ row, message }) => `${row} ${message}`),
    proof,
    question,
  }
}
const clean = { out: [] as string[], wrong: [] as string[], proof: null as 'balance' | null, question: null }
const plain: StatementMapping = { at: 'Date', text: 'Text', amount: 'Amount' }
const banked: StatementMapping = { at: 'Date', text: 'Text', in: 'In', out: 'Out', balance: 'Balance' }
const lines = (heads: string, ...rows: string[]) => [heads, ...rows].join('\n')

describe('every row is accounted for', () => {
  test('as counted, left out with a reason, or an error', async () => {
    const file = lines(
      'Date,Text,Amount,Status',
      '02/11/2026,A,45.00,Successful',
      '02/11/2026,B,-50.00,Successful',
      '02/11/2026,C,46.00,Failed',
      '02/11/2026,D,47.00,Reversed',
      '02/11/2026,Balance at period end,48.00,Successful',
      '02/11/2026,E,,Successful',
      '02/11/2026,F,0.00,Successful',
      'Date,Text,Amount,Status',
      ',G,49.00,Successful',
      '02/11/2026,H,51.00,',
      '02/11/2026,I,much,Successful',
      '02/11/2026,J,52.00',
    )
    expect(await account(file, { ...plain, status: 'Status' })).toMatchObject({
      in: [45],
      out: [
        '3 money out',
        '4 failed: Failed',
        '5 taken back: Reversed',
        '6 balance: Balance at period end',
        '7 no amount',
        '8 no amount',
        '9 the headings again',
      ],
      wrong: [
        '10 This row has no date',
        '11 This row does not say whether its money came: its status is empty',
        '12 The amount much cannot be read',
        expect.stringContaining('13 This row has 3 cells'),
      ],
    })
  })

  test('whatever stands in it', async () => {
    const cell = fc.constantFrom(
      '',
      '45.00',
      '-3',
      '0',
      '02/11/2026',
      'CR',
      'DR',
      'Total',
      'Fees',
      'x',
      '1,000.00',
      '=',
    )
    const row = fc
      .array(cell, { minLength: 8, maxLength: 8 })
      .filter((cells) => cells.some((one) => one !== ''))
    const heads = ['Date', 'Text', 'Amount', 'Direction', 'Type', 'Status', 'Balance', 'Id']
    const mappings = fc.record(
      {
        direction: fc.constantFrom('Direction', null),
        type: fc.constantFrom('Type', null),
        status: fc.constantFrom('Status', null),
        balance: fc.constant('Balance'),
        transactionId: fc.constant('Id'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), mappings, async (rows, more) => {
        const found = await read(lines(heads.join(','), ...rows.map((cells) => `"${cells.join('","')}"`)), {
          ...plain,
          ...(more as Partial<StatementMapping>),
        })
        const told = [found.incoming, found.leftOut, found.errors].flatMap((some) =>
          some.map((one) => one.row),
        )
        expect(told.toSorted((one, other) => one - other)).toEqual(rows.map((_, index) => index + 2))
        expect(found.rows).toBe(rows.length)
      }),
      { numRuns: 300 },
    )
  })
})

describe('words in the text of the payer are no direction and no type', () => {
  test("in Airtel's file", async () => {
    expect(await account(bankFile('t4-x01-airtel-references-fees.csv'))).toEqual({
      ...clean,
      in: [45, 60, 75],
    })
  })

  test("in MTN's file, and in the name of the payer", async () => {
    const file = lines(
      'Id,Date,Status,From,From name,Amount,To message',
      '910000001,2026-11-03 08:00:00,Successful,FRI:260961110001/MSISDN,DEBIT BANDA,45,Charges',
      '910000002,2026-11-03 08:01:00,Successful,FRI:260961110002/MSISDN,FEES,46,Fees',
    )
    expect(await account(file)).toEqual({ ...clean, in: [45, 46] })
  })

  test('where money in has a column of its own, or signs say it', async () => {
    const two = lines(
      'Date,Details,Kind of it,In,Out',
      '02/11/2026,A,Fees,45.00,',
      '03/11/2026,B,Deposit,46.00,',
    )
    expect(await account(two, { at: 'Date', in: 'In', out: 'Out' })).toEqual({ ...clean, in: [45, 46] })
    const signed = lines('Date,Note,Amount', '02/11/2026,Fees,45.00', '03/11/2026,Fees,-46.00')
    expect(await account(signed, { at: 'Date', amount: 'Amount' })).toEqual({
      ...clean,
      in: [45],
      out: ['3 money out'],
    })
  })
})

test('another text or phone under the same id is another payment: a column of one word is none of ids', async () => {
  const mapping = { at: 'Date', text: 'Text', amount: 'Amount', transactionId: 'Id' }
  expect((await read(bankFile('t4-x08-one-word-as-id.csv'), mapping)).doubt).toEqual({
    about: 'transaction ids',
    why: expect.stringContaining('Rows 2 and 3 have the transaction id LUNCH'),
  })
  const rows = (...texts: string[]) =>
    lines('Date,Text,Phone,Amount,Id', ...texts.map((text) => `02/11/2026,${text},45.00,MP1`), ...ids)
  const ids = Array.from({ length: 20 }, (_, index) => `02/11/2026,X,,46.00,N${index}`)
  const phoned = { ...mapping, phone: 'Phone' }
  expect((await read(rows('A,', ' a ,'), phoned)).errors).toEqual([])
  expect((await read(rows('A,', 'B,'), phoned)).errors).toMatchObject([{ row: 3 }])
  expect((await read(rows('A,0977111111', 'A,0977222222'), phoned)).errors).toMatchObject([{ row: 3 }])
  expect((await read(rows('A,0977111111', 'A,+260 977 111 111'), phoned)).errors).toEqual([])
})

describe('a row without a date', () => {
  const file = bankFile('t4-s72-date-on-the-first-row-of-a-day.csv')
  const mapping = { at: 'Date', text: 'Details', in: 'Paid in', out: 'Paid out' }

  test('has the date above it where the balance proves the file', async () => {
    const { incoming, notes, ...found } = await read(file, { ...mapping, balance: 'Balance' })
    expect(incoming.map(({ at, amount }) => [at.toISOString().slice(0, 10), amount])).toEqual([
      ['2026-11-01', 4500],
      ['2026-11-01', 6000],
      ['2026-11-02', 7500],
      ['2026-11-02', 9000],
    ])
    expect(notes).toEqual(['3 rows without a date have the date above them'])
    expect(found).toMatchObject({ proof: 'balance', errors: [], leftOut: [{ row: 4, reason: 'money out' }] })
  })

  test('is an error where nothing proves it', async () => {
    expect(await account(file, mapping)).toMatchObject({
      in: [45, 75],
      wrong: ['3 This row has no date', '6 This row has no date'],
      out: ['4 money out'],
    })
  })
})

describe('other money', () => {
  const refusedAs = (message: string) => expect.objectContaining({ code: 'other_currency', message })
  const dated = (head: string, cell = '4500') => `Date,Details,${head}\n02/11/2026,From a parent,${cell}\n`

  test('in the head of the amount refuses the file', async () => {
    const file = bankFile('t4-s57-currency-in-the-head.csv')
    await expect(read(file, { at: 'Date', amount: 'Amount (KES)' })).rejects.toEqual(
      refusedAs('This file is in KES.'),
    )
    for (const [head, code] of [
      ['Credit (USD)', 'USD'],
      ['Amount $', 'USD'],
      ['Amount in Euro', 'EUR'],
      ['amount_zar', 'ZAR'],
      ['Amount [gbp]', 'GBP'],
      ['AmountUSD', 'USD'],
      ['Amount (IQD)', 'IQD'],
      ['Amount (R)', 'ZAR'],
      ['Amount ¥', 'a foreign currency'],
    ] as const)
      await expect(read(dated(head), { at: 'Date', in: head })).rejects.toEqual(
        refusedAs(`This file is in ${code}.`),
      )
    for (const head of ['Amount (ZMW)', 'Kwacha', 'Amount K', 'Amount'])
      expect((await read(dated(head), { at: 'Date', in: head })).incoming).toHaveLength(1)
  })

  test('in the lines above refuses the file, unless they speak of kwacha too', async () => {
    const above = (line: string) => `${line}\n\nDate,Details,Amount\n02/11/2026,A,45.00\n03/11/2026,B,46.00\n`
    const mapping = { at: 'Date', amount: 'Amount' }
    for (const line of [
      'Currency: USD',
      'Account 0123 (USD)',
      'Account 0123456USD',
      'Account currency,US Dollar',
      'All amounts are in US Dollars',
      'Currency,USD,Rate to ZMW,27.10',
    ])
      await expect(read(above(line), mapping)).rejects.toEqual(refusedAs('This file is in USD.'))
    for (const [line, money] of [
      ['FOREIGN CURRENCY ACCOUNT', 'a foreign currency'],
      ['Ccy: XDR', 'XDR'],
      ['Statement in Rand', 'ZAR'],
    ] as const)
      await expect(read(above(line), mapping)).rejects.toEqual(refusedAs(`This file is in ${money}.`))
    for (const line of ['Currency: ZMW', 'Rate USD to ZMW,26', 'Rate 1 USD = 27.10', 'Statement'])
      expect((await read(above(line), mapping)).incoming).toHaveLength(2)
  })

  test.each([
    'Settlement Currency',
    'Payment ccy',
    'Holding Currency',
    'Local Currency',
    'Ccy.',
    'TransactionCurrency',
    'Cur',
    'Unit',
    '',
  ])('in a column %s is an error of its row', async (head) => {
    const file = `Date,Amount,${head}\n02/11/2026,45.00,USD\n03/11/2026,46.00,ZMW\n`
    expect(await account(file, { at: 'Date', amount: 'Amount' })).toMatchObject({
      in: [46],
      wrong: ['2 This row is in USD, and only kwacha are read'],
    })
  })

  test('in another column of money, or in a line of units below the headings, refuses the file', async () => {
    const mapping = { at: 'Date', amount: 'Amount' }
    const balanced = (amount: string) => `Date,${amount},Balance (USD)\n02/11/2026,45.00,145.00\n`
    await expect(read(balanced('Amount'), { ...mapping, balance: 'Balance (USD)' })).rejects.toEqual(
      refusedAs('This file is in USD.'),
    )
    const inKwacha = { ...mapping, amount: 'Amount (K)', balance: 'Balance (USD)' }
    await expect(read(balanced('Amount (K)'), inKwacha)).rejects.toEqual(
      refusedAs('Balance (USD) is in USD. Leave it out.'),
    )
    await expect(read('Date,Text,Amount\n,,US$\n02/11/2026,A,45.00\n', mapping)).rejects.toEqual(
      refusedAs('This file is in USD.'),
    )
  })

  test('is none where a code is a number or has its name beside it', async () => {
    const file =
      'Date,Amount,Currency\n02/11/2026,45.00,967\n02/11/2026,46.00,840\n02/11/2026,47.00,ZMW (K)\n'
    expect(await account(file, { at: 'Date', amount: 'Amount' })).toMatchObject({
      in: [45, 47],
      wrong: ['3 This row is in 840, and only kwacha are read'],
    })
  })

  test('is not an amount in a column whose head says currency', async () => {
    const file = 'Date,Amount Currency\n02/11/2026,45.00\n03/11/2026,46.00\n'
    expect(await account(file, { at: 'Date', amount: 'Amount Currency' })).toMatchObject({
      in: [45, 46],
      wrong: [],
    })
  })
})

describe('a type that says money went out', () => {
  const typed = (...rows: string[]) => lines('Date,Text,In,Out,Type', ...rows)
  const mapping = { at: 'Date', text: 'Text', in: 'In', out: 'Out' }

  test.each(['Wallet to Bank', 'School Fees', 'Debit Card'])(
    'as %s, is an error beside money in',
    async (type) => {
      const file = typed(`02/11/2026,A,45.00,,${type}`, '03/11/2026,B,46.00,,Deposit')
      expect(await account(file, mapping)).toMatchObject({ in: [46], wrong: [`2 ${type}: money in or out?`] })
    },
  )

  test('is left out in sight where nothing else says the way, and not looked at where the mapping has none', async () => {
    const file = lines('Date,Text,Amount,Type', '02/11/2026,A,45.00,Wallet to Bank')
    expect(await account(file, plain)).toMatchObject({ in: [], out: ['2 money out: Wallet to Bank'] })
    expect(await account(file, { ...plain, type: null })).toMatchObject({ in: [45], out: [] })
  })
})

describe('balances and totals', () => {
  test('in the column of credits are no payments', async () => {
    const file = bankFile('t4-s77-balances-in-the-credit-column.csv')
    const mapping = { at: 'Date', text: 'Description', in: 'Credit', out: 'Debit' }
    const found = {
      in: [45],
      wrong: [],
      out: expect.arrayContaining(['2 balance: Opening Balance as at 01/11/2026']),
    }
    expect(await account(file, mapping)).toMatchObject({ ...found, proof: null })
    expect(await account(file, { ...mapping, balance: 'Balance' })).toMatchObject({
      ...found,
      proof: 'balance',
    })
  })

  test.each([
    'Total payment for Mary',
    'Balance of lunch',
    'Balance',
    'Totally unpaid',
    'Balance for Mary 02/11/2026',
    'Balance 50',
    'Saldo Mary',
    'Total Banda',
    'B/F Lunch',
    'Forward',
  ])('%s is a payment', async (text) => {
    expect(await account(lines('Date,Text,Amount', `02/11/2026,${text},45.00`), plain)).toMatchObject({
      in: [45],
    })
  })

  test.each([
    'Page Total',
    'Sub total',
    'Balance forward',
    'Brought Fwd',
    'Carry forward',
    'Total for November',
    'Balance carried down',
    'Solde au 30/11/2026',
    'Saldo anterior',
  ])('%s is none', async (text) => {
    expect(await account(lines('Date,Text,Amount', `02/11/2026,${text},45.00`), plain)).toMatchObject({
      in: [],
      out: [`2 balance: ${text}`],
    })
  })
})

test('one mark spoils the column of amounts, but not that of money in', async () => {
  const file = (head: string) => lines(`Date,Text,${head}`, '02/11/2026,A,45.00', '03/11/2026,B,+46.00')
  expect(await account(file('In'), { at: 'Date', in: 'In' })).toEqual({ ...clean, in: [45, 46] })
  expect((await account(file('Amount'), plain)).wrong).toHaveLength(1)
})

describe('a column that the mapping says the file does not have', () => {
  test('is not asked for again', async () => {
    const file = lines('Date,Text,Amount,Dr/Cr', '02/11/2026,A,45.00,CR', '03/11/2026,B,46.00,DR')
    expect((await account(file, plain)).question).toBe('Dr/Cr')
    expect(await account(file, { ...plain, direction: null })).toEqual({ ...clean, in: [45, 46] })
  })
})

describe('the balance proves direction and amount', () => {
  const bare: StatementMapping = { at: 'Date', text: 'Text', amount: 'Amount', balance: 'Balance' }
  const rows = [
    '01/11/2026,A,100.00,100.00',
    '02/11/2026,B,45.00,145.00',
    '03/11/2026,C,50.00,95.00',
    '04/11/2026,D,60.00,155.00',
  ]
  const heads = 'Date,Text,Amount,Balance'

  test('of amounts without a sign, oldest or newest first', async () => {
    expect(await account(lines(heads, '01/11/2026,Opening,,0.00', ...rows), bare)).toEqual({
      in: [100, 45, 60],
      out: ['2 balance', '5 money out'],
      wrong: [],
      proof: 'balance',
      question: null,
    })
    expect(await account(lines(heads, ...rows.toReversed()), bare)).toMatchObject({
      in: [60, 45],
      out: ['3 money out'],
      wrong: ['5 This row does not say whether its money came in or went out'],
      proof: 'balance',
    })
  })

  test('and neither type words nor direction words are asked for or believed', async () => {
    const file = lines(
      'Date,Text,Amount,Dr/Cr,Type,Balance',
      '01/11/2026,A,100.00,CR,Fees,100.00',
      '02/11/2026,B,45.00,DR,Wallet to Bank,145.00',
      '03/11/2026,C,50.00,CR,Deposit,95.00',
    )
    expect(await account(file, { ...bare, type: null })).toMatchObject({ question: null, proof: 'balance' })
    expect(await account(file, { ...bare, direction: 'Dr/Cr', type: null })).toMatchObject({
      in: [100, 45],
      out: ['4 money out'],
      wrong: [],
    })
  })

  test('and a row that does not agree is an error that says both figures', async () => {
    const file = lines(
      'Date,Text,In,Out,Balance',
      '01/11/2026,A,100.00,,100.00',
      '02/11/2026,B,45.00,,145.00',
      '03/11/2026,C,60.00,,206.00',
      '04/11/2026,D,,6.00,200.00',
    )
    expect(await account(file, banked)).toEqual({
      in: [100, 45],
      out: ['5 money out'],
      wrong: ['4 This row says K60.00, but the balance moved by K61.00, from K145.00 to K206.00'],
      proof: 'balance',
      question: null,
    })
  })

  test('unless most rows do not agree, which the notes say', async () => {
    const file = lines(
      'Date,Text,In,Out,Balance',
      '14/11/2026,A,100.00,,7.00',
      '15/11/2026,B,45.00,,9.00',
      '16/11/2026,C,60.00,,7.00',
    )
    const { incoming, proof, notes } = await read(file, banked)
    expect([incoming.length, proof, notes]).toEqual([
      3,
      null,
      ['Balance does not move by the amounts of the rows (0 of 2), so it proves nothing and was not used'],
    ])
  })

  test('of a day that has one balance, as a whole', async () => {
    const file = lines(
      'Date,Text,In,Out,Balance',
      '01/11/2026,A,100.00,,100.00',
      '02/11/2026,B,45.00,,',
      '02/11/2026,C,,50.00,',
      '02/11/2026,D,60.00,,155.00',
      '03/11/2026,E,10.00,,',
      '03/11/2026,F,10.00,,176.00',
    )
    expect(await account(file, banked)).toMatchObject({
      in: [100, 45, 60],
      out: ['4 money out'],
      wrong: [
        expect.stringContaining('6 '),
        expect.stringContaining('7 The rows 6 to 7 come to K20.00, but'),
      ],
    })
  })

  test('of rows with a fee, and of rows whose balance says Cr or Dr', async () => {
    const fees = lines(
      'Date,Text,Amount,Fee,Balance',
      '01/11/2026,A,100.00,0,100.00',
      '02/11/2026,B,40.00,0.50,59.50',
      '03/11/2026,C,20.00,0,79.50',
    )
    expect(await account(fees, { ...bare })).toMatchObject({
      in: [20],
      out: ['3 money out'],
      proof: 'balance',
    })
    const marked = lines(
      'Date,Text,In,Out,Balance',
      '01/11/2026,A,,10.00,10.00 DR',
      '02/11/2026,B,45.00,,35.00 CR',
    )
    expect(await account(marked, banked)).toMatchObject({ in: [45], out: ['2 money out'], proof: 'balance' })
  })

  test('and where it shows that some amount without a sign is no income, one that it does not prove is an error', async () => {
    const file = lines(
      'Date,Text,Amount,Balance',
      '02/11/2026,A,45.00,',
      '02/11/2026,B,60.00,205.00',
      '03/11/2026,C,20.00,225.00',
      '03/11/2026,D,30.00,255.00',
      '04/11/2026,E,20.00,',
      '04/11/2026,F,50.00,285.00',
    )
    expect(await account(file, bare)).toMatchObject({
      in: [20, 30],
      wrong: [
        '2 This row does not say whether its money came in or went out',
        '3 This row does not say whether its money came in or went out',
        expect.stringContaining('6 The rows 6 to 7 come to K70.00, but'),
        expect.stringContaining('7 The rows 6 to 7 come to K70.00, but'),
      ],
    })
  })

  test('and a row that failed moves nothing', async () => {
    const file = lines(
      'Date,Text,Amount,Status,Balance',
      '01/11/2026,A,100.00,Success,100.00',
      '02/11/2026,B,45.00,Failed,100.00',
      '03/11/2026,C,60.00,Success,160.00',
    )
    expect(await account(file, { ...bare, status: 'Status' })).toMatchObject({
      in: [100, 60],
      out: ['3 failed: Failed'],
      proof: 'balance',
    })
  })

  test('and its column is guessed, also where the headings stand again', async () => {
    const paged = lines(
      'Date,Details,Amount,Balance',
      '02/11/2026,Opening balance,,100.00',
      'Date,Details,Amount,Balance',
      '03/11/2026,A,45.00,145.00',
    )
    expect((await guessed(paged)).guess).toMatchObject({ amount: 'Amount', balance: 'Balance', at: 'Date' })
    const file =
      'Value Date,Narrative,Debit,Credit,Running Balance\n02/11/2026,DEPOSIT M BANDA,,450.00,450.00\n'
    expect((await guessed(file)).guess).toMatchObject({ balance: 'Running Balance' })
  })
})

test('a last column without a head is named by its place', async () => {
  const file = bankFile('t4-s76-last-column-without-a-head.csv')
  const mapping = { at: 'Tran Date', text: 'Particulars', in: 'Credit', out: 'Debit', balance: 'Balance' }
  expect(await account(file, mapping)).toMatchObject({
    in: [45],
    out: ['3 money out'],
    wrong: [],
    proof: 'balance',
  })
})
