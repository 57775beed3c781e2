import { matchRows, type OpenOrder, type RowToMatch } from '#modules/transfers/statements/match.decide'
import { type Family, referenceFinder } from '#modules/transfers/statements/payers.decide'
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
