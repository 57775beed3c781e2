import { headersOf } from '#kernel/csv-headers'
import { type OpenOrder, type RowToMatch, matchRows } from '#modules/transfers/statements/match.decide'
import { matchedNow } from '#modules/transfers/statements/matches.rows'
import { type Family, referenceFinder } from '#modules/transfers/statements/payers.decide'
import { withIds } from '#modules/transfers/statements/statement-rows.rows'
import { inSlices } from '#platform/pacing'
import { type Due, duesOf, statementMonth, bankMapping, statementFiles } from '../../support/statement-month'
import { readStatementFile as read } from './read-statement'

describe('match', () => {
  const maryRef = 'LP-7K3QW9'
  const peterRef = 'LP-B5G6ZS'

  describe('a reference in a text', () => {
    const find = referenceFinder([maryRef, peterRef])

    test.each([
      ['LP-7K3QW9', [maryRef]],
      ['lunch lp 7k3-qw9, thanks', [maryRef]],
      ['7K3QW9', [maryRef]],
      ['7k3 qw9', [maryRef]],
      ['REFLP7K3QW9MARY', [maryRef]],
      ['pay7K3QW9now', [maryRef]],
      ['LP-85662S', [peterRef]],
      ['lp8s6625', [peterRef]],
      ['B5G6ZS and LP-7K3QW9', [maryRef, peterRef]],
      ['7K3QW8', []],
      ['0977123456', []],
      ['', []],
    ])('%p names %j', (text, references) => {
      expect(find(text)).toEqual(references)
    })

    test('that could be two open ones is neither, but as it is written it is that one', () => {
      const findTwins = referenceFinder(['LP-SSSS77', 'LP-5SSS77'])
      expect(findTwins('LP-55SS77')).toEqual([])
      expect(findTwins('LP-5SSS77')).toEqual(['LP-5SSS77'])
    })

    test('is not seen in a word or a number that is like one', () => {
      const findPlain = referenceFinder(['LP-THANKS', 'LP-977234'])
      expect(findPlain('manythankstoyou 0977234567')).toEqual([])
      expect(findPlain('THANKS')).toEqual(['LP-THANKS'])
    })
  })

  const at = new Date('2026-09-14T05:00:00Z')
  const row = (id: string, more: Partial<RowToMatch>): RowToMatch => ({
    id,
    at,
    amount: 4500,
    payer: null,
    phone: null,
    text: null,
    ...more,
  })
  const owed = (id: string, userId: number, reference: string, more: Partial<OpenOrder> = {}): OpenOrder => ({
    id,
    userId,
    reference,
    toPay: 4500,
    lapsedAt: null,
    ...more,
  })
  const family = (userId: number, more: Partial<Family> = {}): Family => ({
    userId,
    phones: [],
    typedPhones: [],
    names: [],
    children: [],
    ...more,
  })
  const mary = family(1, { names: ['Mary Banda'], phones: ['+260 977 111111'], children: ['Chipo Banda'] })
  const peter = family(2, { names: ['Peter Zulu'], phones: ['0977222222'] })
  const orders = [owed('a', 1, maryRef), owed('b', 1, maryRef), owed('c', 2, peterRef)]

  const toTheEnd = <Result>(steps: Generator<undefined, Result>): Result => {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }

  const matched = (rows: RowToMatch[], open: OpenOrder[] = orders, families = [mary, peter]) => {
    const { matches, named, uncertain } = toTheEnd(matchRows(rows, { orders: open, families }))
    return {
      pays: Object.fromEntries(
        [...matches].map(([id, { certainty, pays }]) => [
          id,
          [certainty, ...pays.map(({ orderId, amount }) => `${orderId} ${amount}`)],
        ]),
      ),
      named: [...named.keys()],
      matches,
      uncertain: [...uncertain],
    }
  }

  test('one row pays what its references have unpaid, of one family or of two', () => {
    const both = row('1', { text: `${maryRef} ${peterRef}`, amount: 13_500 })
    expect(matched([both]).pays).toEqual({ 1: ['exact', 'a 4500', 'b 4500', 'c 4500'] })
  })

  test('several rows pay one reference together, each its part', () => {
    const rows = [row('1', { text: maryRef, amount: 3000 }), row('2', { text: maryRef, amount: 6000 })]
    const { pays, matches } = matched(rows)
    expect(pays).toEqual({ 1: ['exact', 'a 3000'], 2: ['exact', 'a 1500', 'b 4500'] })
    expect(matches.get('1')).toMatchObject({
      together: ['2'],
      why: expect.stringContaining('2 payments come to K90.00'),
    })
  })

  test('paid twice, the first row pays; too much and too little match nothing, and say what they name', () => {
    const twice = [row('1', { text: peterRef }), row('2', { text: peterRef, at: new Date(+at + 1) })]
    expect(matched(twice)).toMatchObject({ pays: { 1: ['exact', 'c 4500'] }, named: [] })
    const wrong = [row('3', { text: maryRef, amount: 8000 }), row('4', { text: peterRef, amount: 5000 })]
    expect(matched(wrong)).toMatchObject({ pays: {}, named: ['3', '4'] })
  })

  test.each([
    ['the phone', { phone: '260977111111', amount: 9000 }, 'the phone number'],
    ['the phone of a network', { phone: 'FRI:260977111111/MSISDN', amount: 9000 }, 'the phone number'],
    ['the phone abroad', { phone: '+260 (0)977 111 111', amount: 9000 }, 'the phone number'],
    ['the name', { payer: 'BANDA Mrs Mary', amount: 9000 }, 'the name'],
    ["a child's name in the text", { text: 'lunch for chipo banda', amount: 9000 }, 'the name'],
  ])('amount and %s of one family only are likely', (_what, facts, by) => {
    const { pays, matches } = matched([row('1', facts)])
    expect(pays).toEqual({ 1: ['likely', 'a 4500', 'b 4500'] })
    expect(matches.get('1')!.why).toBe(`K90.00 and ${by} fit this family only`)
  })

  test.each([
    ['another amount', { phone: '0977111111', amount: 9100 }],
    ['the same digits of another country', { phone: '+27977111111', amount: 9000 }],
    ['half a name', { payer: 'MARY', amount: 9000 }],
    ['another name', { payer: 'Mary Zulu', amount: 9000 }],
    ["another family's reference", { phone: '0977111111', amount: 9000, text: peterRef }],
  ])('%s matches nothing', (_what, facts) => {
    expect(matched([row('1', facts)]).pays).toEqual({})
  })

  test('what fits two families fits none', () => {
    const cousins = [mary, family(2, { names: ['Mary Banda'] })]
    const open = [owed('a', 1, maryRef), owed('c', 2, peterRef)]
    expect(matched([row('1', { payer: 'Mary Banda' })], open, cousins).pays).toEqual({})
  })

  test('a phone that anybody may have typed makes nothing likely, and another family of that phone or name neither', () => {
    const typed = family(1, { typedPhones: ['0977111111'] })
    const byPhone = row('1', { phone: '260977111111', amount: 9000 })
    expect(matched([byPhone], orders, [typed, peter])).toMatchObject({ pays: {}, uncertain: ['a', 'b'] })
    const stranger = family(3, { typedPhones: ['+260 977 111 111'] })
    expect(matched([byPhone], orders, [mary, stranger])).toMatchObject({ pays: {}, uncertain: ['a', 'b'] })
    const namesake = family(3, { names: ['BANDA Mary'] })
    const byName = row('1', { payer: 'Mary Banda', amount: 9000 })
    expect(matched([byName], orders, [mary, namesake])).toMatchObject({ pays: {}, uncertain: ['a', 'b'] })
    const verified = row('1', { phone: '0977111111', payer: 'Peter Zulu', amount: 9000 })
    expect(matched([verified], orders, [mary, peter]).pays).toEqual({})
  })

  test.each(["Ng'andu", 'Ng’andu', 'NGʼANDU', 'Ngandu', 'Ng`andu'])('%s is one name', (surname) => {
    const families = [family(1, { names: ['Ruth Ng’andu'] }), peter]
    const { pays } = matched([row('1', { payer: `RUTH ${surname}`, amount: 9000 })], orders, families)
    expect(pays).toEqual({ 1: ['likely', 'a 4500', 'b 4500'] })
  })

  test('a meal that lapsed is paid for by what came before, and not by what came after', () => {
    const lapsed = [owed('a', 1, maryRef, { lapsedAt: new Date(+at + 1000) })]
    expect(matched([row('1', { text: maryRef })], lapsed).pays).toEqual({ 1: ['exact', 'a 4500'] })
    expect(matched([row('1', { text: maryRef, at: new Date(+at + 1000) })], lapsed).pays).toEqual({})
  })
})

const from = new Date('2026-09-01T06:00:00Z')

const open = (dues: readonly Due[]) => ({
  orders: dues.flatMap(({ reference, userId, orders }) =>
    orders.map(({ id, amount }) => ({ id, userId, reference, toPay: amount, lapsedAt: null })),
  ),
  families: dues.map(({ userId, name, phone }) => ({
    userId,
    names: [name],
    phones: [phone],
    typedPhones: [phone],
    children: [],
  })),
})

test('of a month of sixty transfers a day 95 of 100 well-written ones are matched exactly, and none wrong', async () => {
  const dues = duesOf(1750, 600)
  const transfers = statementMonth(dues, { from })
  const rows = transfers.map(({ transactionId, ...facts }) => ({ id: transactionId, ...facts }))
  const { matches } = await inSlices(matchRows(rows, open(dues)))
  const exact = transfers.filter(({ transactionId }) => matches.get(transactionId)?.certainty === 'exact')
  const paidBy = ({ transactionId }: { transactionId: string }) =>
    matches.get(transactionId)!.pays.map(({ orderId }) => orderId)
  const wrong = exact.filter((one) => paidBy(one).some((id) => !one.pays.includes(id)))
  const wellWritten = transfers.filter((one) => one.wellWritten)

  expect(transfers.length).toBeGreaterThanOrEqual(1800)
  expect(wellWritten.length).toBeGreaterThan(1500)
  expect(wrong).toEqual([])
  expect(exact.filter((one) => one.wellWritten).length / wellWritten.length).toBeGreaterThanOrEqual(0.95)
  for (const one of exact)
    expect(matches.get(one.transactionId)!.pays.reduce((sum, { amount }) => sum + amount, 0)).toBe(one.amount)
})

test('twenty thousand open rows are matched in slices: others have their turn meanwhile', async () => {
  const dues = duesOf(2000, 700)
  const transfers = statementMonth(duesOf(20_000, 700), { from })
  const rows = transfers
    .map(({ transactionId, ...facts }) => ({ id: transactionId, ...facts }))
    .slice(0, 20_000)
  expect(rows).toHaveLength(20_000)
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const { matches } = await inSlices(matchRows(rows, open(dues)))
  isDone = true
  expect(matches.size).toBeGreaterThan(1500)
  expect(turns).toBeGreaterThan(5)
})

test('open rows are matched once while rows, orders and names stay as they are', async () => {
  const rows = () => [{ id: 'a', at: from, amount: 4550, payer: 'MARY', phone: null, text: null }]
  const named = (name: string) => ({
    orders: [],
    families: [{ userId: 1, phones: [], typedPhones: [], names: [name], children: [] }],
  })
  const before = await matchedNow(rows(), named('Mary'))
  expect(await matchedNow(rows(), named('Mary'))).toBe(before)
  expect(await matchedNow(rows(), named('Mary Banda'))).not.toBe(before)
})

describe('statement files', () => {
  type Numbered = { transactionId: string | null }
  const byTransaction = (one: Numbered, other: Numbered) =>
    one.transactionId! < other.transactionId! ? -1 : 1

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
    ['nothing', row('05/09/2026', '0.00', 'LP', '1', 'Success')],
    ['a sum at the end', row('', '1000.00', 'Total', '', 'Success')],
    ['a dash', row('05/09/2026', '-', 'Opening balance', '', 'Success')],
    ['the head once more', row('Date', 'Amount', 'Text', 'Id', 'Status')],
  ])('%s is no money that came in', async (_what, content) => {
    expect(await read(content, mapping)).toMatchObject({ rows: 1, incoming: [], errors: [] })
  })

  test.each([
    [
      'a state',
      row('05/09/2026', '45.50', 'LP', '1', ''),
      'This row does not say whether its money came: its status is empty',
    ],
    ['a date', row('yesterday', '45.50', 'LP', '1', 'Success'), 'The date yesterday cannot be read'],
    ['an amount', row('05/09/2026', '1.234', 'LP', '1', 'Success'), 'The amount 1.234 cannot be read'],
    ['too much', row('05/09/2026', '99999999', 'LP', '1', 'Success'), 'The amount 99999999 is too large'],
    [
      'a status',
      row('05/09/2026', '45.50', 'LP', '1', 'Frozen'),
      'We do not know whether Frozen means that the money came',
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
    expect([layout, rows, incoming.map(({ payer }) => payer)]).toEqual([
      'mtn',
      4,
      ['MARY BANDA', 'PETER ZULU'],
    ])
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
})
