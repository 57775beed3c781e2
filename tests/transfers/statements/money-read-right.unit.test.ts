import type { StatementMapping } from '#contracts/transfers'
import { amountsRead as amounts, guessed, money, readStatementFile as read } from './read-statement'

const drCr = (...lines: string[]) => `Txn Date,Narrative,Amount,Dr/Cr,Balance\n${lines.join('\n')}\n`
const undirected: StatementMapping = { at: 'Txn Date', amount: 'Amount', text: 'Narrative' }
const directed: StatementMapping = { ...undirected, direction: 'Dr/Cr' }
const deposit = '02/11/2026,DEPOSIT MARY BANDA,450.00,CR,450.00'
const payout = '03/11/2026,PAYMENT MEAT SUPPLIER,300.00,DR,150.00'

describe('a column of its own says which way money went', () => {
  test('and what went out is no income', async () => {
    expect(await amounts(drCr(deposit, payout), directed)).toEqual(money(450))
  })

  test('and any other word, or one that its amount contradicts, is an error', async () => {
    const lines = [
      deposit,
      deposit.replace('CR', 'REV'),
      deposit.replace('CR', ''),
      deposit.replace('450.00', '-450.00'),
      payout.replace('300.00', '+300.00'),
    ]
    expect(await amounts(drCr(...lines), directed)).toMatchObject({ in: [450], wrong: [3, 4, 5, 6] })
  })

  test.each([
    ['two words', [deposit, payout], 'Dr/Cr'],
    ['only what went out', [payout], 'Dr/Cr'],
    ['letters alone', [deposit.replace('CR', 'H'), payout.replace('DR', 'S')], 'Dr/Cr'],
    ['one letter under a head that says so', [payout.replace('DR', 'D')], 'Dr/Cr'],
    ['words beside a strange one', [deposit, payout, deposit.replace('CR', 'REV')], 'Dr/Cr'],
    ['what came in alone', [deposit], null],
    ['signs that say the same', [deposit, payout.replace('300.00', '-300.00')], null],
  ])('and is asked for where it has %s', async (_what, lines, column) => {
    expect((await amounts(drCr(...lines), undirected)).asked).toBe(column)
  })

  test('and a status of one letter is none', async () => {
    const file = 'Date,Amount,State\n02/11/2026,45.00,S\n03/11/2026,46.00,S\n'
    expect((await amounts(file, { at: 'Date', amount: 'Amount' })).asked).toBeNull()
  })

  test("and Airtel's own files have it", async () => {
    const data = `transfer_date,transfer_id,entry_type,second_party_account_id,transfer_value,transfer_status
2026-11-02,MP261102.0800.A00001,CR,971110001,45.00,TS
2026-11-02,MP261102.0900.A00002,DR,971110002,40.00,TS
2026-11-02,MP261102.0901.A00003,CR,971110003,41.00,TF
`
    expect(await read(data)).toMatchObject({
      layout: 'airtel',
      incoming: [{ amount: 4500, phone: '971110001' }],
      errors: [],
    })
    const export1 = `Customer Name,NORTHSIDE SCHOOL
Mobile Number,971000001
Transaction ID,Transaction Date,Description,Status,Transaction Amount,Credit/Debit,Fee,Balance
1001,02-11-26 08:17 AM,Received from MARY BANDA LP-7K3QW9,Success,45.00,Credit,0,45.00
1002,02-11-26 09:17 AM,Sent to MEAT SUPPLIER,Success,40.00,Debit,0,5.00
`
    expect(await read(export1)).toMatchObject({
      layout: 'airtel',
      incoming: [
        { amount: 4500, text: 'Received from MARY BANDA LP-7K3QW9', at: new Date('2026-11-02T06:17:00Z') },
      ],
      errors: [],
    })
    const twoColumns =
      'Transaction ID,Date,Description,Debit,Credit,Balance\n1,02/11/2026,LP-7K3QW9,,45.00,45.00\n2,02/11/2026,MEAT,40.00,,5.00\n'
    expect(await read(twoColumns)).toMatchObject({
      layout: 'airtel',
      incoming: [{ amount: 4500, text: 'LP-7K3QW9' }],
    })
  })
})

test('an amount that does not say CR beside others that do is an error', async () => {
  const file =
    'Date,Text,Amount (marked)\n02/11/2026,MEAT SUPPLIER,300.00\n03/11/2026,MARY BANDA,50.90Cr\n04/11/2026,FEE,0.00\n'
  const mapping = { at: 'Date', text: 'Text', amount: 'Amount (marked)' }
  expect(await amounts(file, mapping)).toMatchObject({ in: [50.9], wrong: [2] })
  expect(await amounts(file.replace('50.90Cr', '50.90'), mapping)).toMatchObject({
    in: [300, 50.9],
    wrong: [],
  })
})

test('signs and parentheses make an amount less than nothing at its ends alone', async () => {
  const written = [
    'K(45.00)',
    '(45.00) ZMW',
    '45.00-K',
    '45.00- ZMW',
    '(45.00',
    '45-00',
    '4-5.00',
    '(45.00) CR',
    'K46.00',
  ]
  const file = `Date\tAmount K\tText\n${written.map((amount) => `02/11/2026\t${amount}\t${amount}`).join('\n')}\n`
  expect(await amounts(file, { at: 'Date', amount: 'Amount K' })).toMatchObject({
    in: [46],
    wrong: [6, 7, 8, 9],
  })
})

test('money in and money out of one row are an error', async () => {
  const file = 'Date,In,Out\n02/11/2026,45.00,0.00\n03/11/2026,46.00,46.00\n04/11/2026,,47.00\n'
  expect(await amounts(file, { at: 'Date', in: 'In', out: 'Out' })).toMatchObject({ in: [45], wrong: [3] })
  const unclear = 'Date,In,Out\n02/11/2026,45.00,45.00 REV\n03/11/2026,46.00,-\n04/11/2026,47.00,nil\n'
  expect(await amounts(unclear, { at: 'Date', in: 'In', out: 'Out' })).toMatchObject({
    in: [46, 47],
    wrong: [2],
  })
})

test.each(['Unsettled', 'Not paid', 'Unpaid', 'Declined', 'Reversed'])('%s is no money', async (status) => {
  const file = `Date,In,State\n02/11/2026,45.00,${status}\n03/11/2026,46.00,Paid\n`
  expect(await amounts(file, { at: 'Date', amount: 'In', status: 'State' })).toEqual(money(46))
})

const paid = (...ids: string[]) =>
  `Date,Paid in,Reference\n${ids.map((id, index) => `0${(index % 9) + 1}/11/2026,${45 + index}.00,${id}`).join('\n')}\n`

describe('transaction ids', () => {
  const mapping = { at: 'Date', amount: 'Paid in', transactionId: 'Reference' }

  test('that repeat with other facts name both rows', async () => {
    const { incoming, errors } = await read(paid('MP1', 'MP2', ' mp-1', 'MP4'), mapping)
    expect(incoming.map(({ row }) => row)).toEqual([2, 3, 5])
    expect(errors).toEqual([
      { row: 4, message: expect.stringContaining('Rows 2 and 4 have the transaction id') },
    ])
    const twice = 'Date,Paid in,Reference\n01/11/2026,45.00,MP1\n01/11/2026,45.00,MP1\n'
    expect(await read(twice, mapping)).toMatchObject({ incoming: [{}, {}], errors: [] })
  })

  test.each([
    ['texts that repeat', ['LUNCH', 'LUNCH', 'lunch'], 'Rows 2 and 3 have'],
    ['errors of a spreadsheet', ['#N/A', '#REF!', 'MP3'], '#N/A is not a transaction id'],
    ['zeros', ['0', '0', '0'], '0 is not a transaction id'],
  ])('that are %s are none', async (_what, ids, why) => {
    expect((await read(paid(...ids), mapping)).doubt).toEqual({
      about: 'transaction ids',
      why: expect.stringContaining(why),
    })
  })

  test.each([
    ['4.56E+11', 'shortened'],
    ['456000000000', 'shortened'],
    ['123456789012345000', 'shortened'],
    ['#NAME?', 'is not a transaction id'],
    ['=A2&B2', 'is not a transaction id'],
    ['0', 'is not a transaction id'],
  ])('as %s are an error of their row', async (id, why) => {
    const { incoming, errors, doubt } = await read(paid('910000001', id, '910000003'), mapping)
    expect([incoming.map(({ row }) => row), doubt]).toEqual([[2, 4], null])
    expect(errors).toEqual([{ row: 3, message: expect.stringContaining(why) }])
  })
})

const mtn = (...lines: [from: string, to: string, amount: number][]) =>
  `Id,Date,Status,Type,From,From name,To,To name,Amount,Note/Message\n${lines
    .map(
      ([from, to, amount], index) =>
        `91000000${index},2026-11-03 08:0${index}:00,Successful,Transfer,FRI:260${from}/MSISDN,A,${to},B,${amount},LP-7K3QW9`,
    )
    .join('\n')}\n`
const to = (account: string) => `FRI:260${account}/MSISDN`

describe('an MTN statement without signs', () => {
  const [school, supplier, mary, john] = ['961000001', '961110008', '961110001', '961110002']

  test("knows the school's account by its being in every row", async () => {
    const file = mtn([school, to(supplier), 300], [school, to(supplier), 301], [mary, `0${school}`, 45])
    expect(await amounts(file)).toEqual(money(45))
    expect((await read(file)).incoming).toMatchObject([{ text: 'LP-7K3QW9', phone: `260${mary}` }])
  })

  test('is not read where two accounts are in every row, unless one is known to be ours', async () => {
    const file = mtn([school, to(supplier), 300], [school, to(supplier), 301])
    expect(await amounts(file)).toMatchObject({ doubt: { about: 'own account' } })
    expect(await amounts(file, undefined, ['0961 000 001'])).toEqual(money())
    expect(await amounts(mtn([mary, to(school), 45]), undefined, ['0961 000 001'])).toEqual(money(45))
  })

  test('is not read where no account is in nearly every row', async () => {
    expect(await amounts(mtn([mary, to(john), 45], [school, to(supplier), 45]))).toMatchObject({
      doubt: { about: 'own account' },
    })
  })

  test('has an error in a row without that account', async () => {
    const rows = Array.from({ length: 9 }, (_, index): [string, string, number] => [
      `96111000${index}`,
      to(school),
      45,
    ])
    const file = mtn(...rows, [john, to(supplier), 46])
    expect(await amounts(file)).toMatchObject({ in: Array(9).fill(45), wrong: [11], doubt: null })
  })

  test('knows it also by rows that failed', async () => {
    const file = mtn([mary, to(school), 45], [john, to(school), 46]).replace('Successful', 'Failed')
    expect(await amounts(file)).toEqual(money(46))
  })

  test('has names for accounts as well', async () => {
    const names =
      'Id,Date,Status,From,From name,To,Amount\n1,2026-11-03,Successful,NORTHSIDE,N,MEAT,300\n2,2026-11-03,Successful,NORTHSIDE,N,ZESCO,300\n3,2026-11-03,Successful,MARY,M,NORTHSIDE,45\n'
    expect(await amounts(names)).toEqual(money(45))
  })

  test('without To counts nothing that the school itself sent', async () => {
    const file =
      'Id,Date,Status,From,From name,Amount\n1,2026-11-03,Successful,FRI:260961000001/MSISDN,N,300\n2,2026-11-03,Successful,FRI:260961110001/MSISDN,M,45\n'
    expect(await amounts(file, undefined, ['0961 000 001'])).toEqual(money(45))
    const ours = file.replace('FRI:260961110001/MSISDN', '961000001')
    expect(await amounts(ours, undefined, ['0961 000 001'])).toEqual(money(300, 45))
  })

  test('with signs is read by them', async () => {
    expect(await amounts(mtn([school, to(supplier), -300], [mary, to(school), 45]))).toEqual(money(45))
  })
})

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

  test('is heeded in each of several such columns: where one says in, the other makes it an error', async () => {
    const file =
      'Transaction ID,Transaction Date,Sender MSISDN,Amount,Status,Entry Type,Direction\nA1,02/11/2026,0977000111,45.00,Success,CR,DR\nA2,02/11/2026,0977000111,46.00,Success,CR,CR\n'
    expect(await amounts(file)).toMatchObject({ in: [46], wrong: [2] })
  })
})

test('a column whose head says direction is asked for, whatever its words', async () => {
  for (const [head, one, other] of [
    ['Sens', 'E', 'X'],
    ['+/-', 'p', 'n'],
    ['D/C', '1', '2'],
    ['Af Bij', 'A', 'B'],
    ['DC Flag', '1', '2'],
    ['CR_DR_IND', '1', '2'],
    ['Debit or Credit Indicator', 'X', 'Y'],
    ['Transaction Direction', 'X', 'Y'],
  ] as const) {
    const file = `Date,Amount,${head}\n02/11/2026,45.00,${one}\n03/11/2026,46.00,${other}\n`
    expect((await amounts(file, { at: 'Date', amount: 'Amount' })).asked).toBe(head)
  }
})

test('a minus in a column of its own beside the amounts is asked for', async () => {
  const file = 'Date,Text,,Amount\n02/11/2026,A,-,45.00\n03/11/2026,B,,46.00\n'
  expect((await amounts(file, { at: 'Date', amount: 'Amount' })).asked).toBe('Column 3')
  const apart = 'Date,Cheque,Text,Amount\n02/11/2026,-,A,45.00\n03/11/2026,,B,46.00\n'
  expect((await amounts(apart, { at: 'Date', amount: 'Amount' })).asked).toBeNull()
})

test('a kind of card is no direction', async () => {
  const file = 'Date,Amount,Card Type\n02/11/2026,45.00,Credit\n03/11/2026,46.00,Debit\n'
  expect(await amounts(file, { at: 'Date', amount: 'Amount' })).toEqual(money(45, 46))
})

const readFile = (file: string) => read(file, { at: 'Date', amount: 'Amount' })

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
  const { leftOut, ...read } = await readFile(file)
  expect(read).toMatchObject({ incoming: [{ row: 10 }, { row: 11 }], errors: [] })
  expect(leftOut.map(({ reason }) => reason)).toEqual(texts.map((text) => `balance: ${text}`))
})

test('money in another currency is an error of its row', async () => {
  for (const head of ['Currency', 'Ccy', 'transaction_currency', 'Devise'])
    expect(await amounts(inCurrencies(head), { at: 'Date', amount: 'Amount' })).toMatchObject({
      in: [46, 47, 48],
      wrong: [2, 6],
    })
})

describe('the columns of an unknown file are guessed', () => {
  test.each([
    [
      'from heads of a bank',
      'Value Date,Narrative,Debit,Credit,Balance\n02/11/2026,DEPOSIT M BANDA,,450.00,450.00\n03/11/2026,MEAT,300.00,,150.00\n',
      { at: 'Value Date', text: 'Narrative', in: 'Credit', out: 'Debit', balance: 'Balance' },
    ],
    [
      'with the day of booking before the day of value, and an id that is in every row once',
      'Value Date,Posting Date,Transaction Ref,Details,Money In,Money Out,Running Balance\n01/11/2026,02/11/2026,FT1,RENT,,5.00,1.00\n01/11/2026,02/11/2026,FT2,BANDA,45.00,,46.00\n',
      {
        at: 'Posting Date',
        text: 'Details',
        in: 'Money In',
        out: 'Money Out',
        transactionId: 'Transaction Ref',
        balance: 'Running Balance',
      },
    ],
    [
      'with the column that says which way the money went',
      drCr(deposit, payout),
      { ...undirected, balance: 'Balance', direction: 'Dr/Cr' },
    ],
    [
      'with the column that says what failed',
      'Date,Amount,Outcome of it\n02/11/2026,45.00,Successful\n03/11/2026,46.00,Failed\n',
      { at: 'Date', amount: 'Amount', status: 'Outcome of it' },
    ],
    [
      'from what their rows hold where heads say nothing',
      'A,B,C,D\n2026-11-02 08:00,0977666666,45.00,Lunch LP-PYS6QNXF0M\n2026-11-03 08:00,+260 961 111 111,46.00,thanks\n',
      { at: 'A', phone: 'B', amount: 'C', text: 'D' },
    ],
    [
      'by the payer, never by who was paid',
      'Date,Receiver Name,Sender Name,Receiver Phone,Sender Phone,Amount\n02/11/2026,SCHOOL,MARY BANDA,0977000000,0977666666,45.00\n',
      { at: 'Date', payer: 'Sender Name', phone: 'Sender Phone', amount: 'Amount' },
    ],
  ])('%s', async (_how, file, mapping) => {
    expect(await guessed(file)).toEqual({ guess: mapping, isWhole: true })
  })

  test.each([
    ['two columns of money without a name', 'Date,X,Y\n02/11/2026,45.00,46.00\n', { at: 'Date' }],
    ['account numbers under Credit Account', 'Date,Credit Account\n02/11/2026,12345678\n', { at: 'Date' }],
    ['words under Credit', 'Date,Credit\n02/11/2026,yes\n', { at: 'Date' }],
    [
      'an id that comes twice as an id',
      'Transaction Ref,Balance\nLUNCH1,45.00\nLUNCH1,46.00\n',
      { text: 'Transaction Ref', balance: 'Balance' },
    ],
  ])('but not %s', async (_what, file, mapping) => {
    expect(await guessed(file)).toEqual({ guess: mapping, isWhole: false })
  })
})
