import { reportMonday, weekLetter, type WeekFacts } from '#modules/find/head-report.decide'

const zone = 'Africa/Lusaka'
const monday = '2026-09-21'

test.each([
  ['2026-09-21T06:29:59+02:00', '2026-09-14'],
  ['2026-09-21T06:30:00+02:00', monday],
  ['2026-09-24T11:00:00+02:00', monday],
  ['2026-09-28T06:29:00+02:00', monday],
  ['2026-09-28T06:30:00+02:00', '2026-09-28'],
])('at %s the report of %s is due', (text, due) => {
  expect(reportMonday({ now: new Date(text), zone })).toBe(due)
})

const lunch = (date: string, item: string, inClass: string, meals: number, more: object = {}) => ({
  date,
  item,
  class: inClass,
  meals,
  given: 0,
  left: meals,
  ...more,
})
const facts: WeekFacts = {
  lunches: [
    lunch('2026-09-14', 'Beef stew', '5A', 3, { given: 2, left: 1 }),
    lunch('2026-09-14', 'Nshima', '10', 2, { given: 2, left: 0 }),
    lunch('2026-09-15', 'Beef stew', '10', 4),
    lunch('2026-09-11', 'Beef stew', '5A', 7),
    lunch('2026-09-07', 'Porridge', '5A', 1),
    lunch('2026-08-21', 'Beef stew', '10', 9),
    lunch('2026-08-16', 'Beef stew', '10', 99),
    lunch('2026-09-21', 'Beef stew', '10', 99),
  ],
  sponsored: { meals: 2, amount: 7000 },
  without: [
    { date: '2026-09-14', children: 15 },
    { date: '2026-09-15', children: 16 },
  ],
  closed: [
    { date: '2026-09-16', forAll: true },
    { date: '2026-09-17', forAll: false },
  ],
  moneyIn: 123_450,
  moneyBack: 4550,
  unreached: 2,
}

test('the letter tells the week beside the four before it', () => {
  expect(weekLetter(facts, monday)).toEqual({
    subject: 'The week of Monday, 14 September 2026',
    paragraphs: [
      'this was the week of Monday, 14 September 2026. In brackets: the four weeks before it, the latest first.',
      'Lunches: 9 (8, 0, 0, 9)',
      'By dish:\n- Beef stew: 7 (7, 0, 0, 9)\n- Nshima: 2 (0, 0, 0, 0)',
      'By class:\n- 5A: 3 (8, 0, 0, 0)\n- 10: 6 (0, 0, 0, 9)',
      [
        '- Sponsored: 2 lunches, K70.00 taken off by discounts',
        '- Not collected: 1',
        '- No lunch ordered: Monday 15, Tuesday 16',
        '- Closed days: Wednesday, Thursday (some classes)',
        '- Money in: K1234.50, back: K45.50',
        '- Families not reached in the last three days: 2',
      ].join('\n'),
    ],
  })
})

test('a week without lunches says so, more dishes and classes than half a page holds are others', () => {
  const none = { ...facts, lunches: [], without: [], closed: [] }
  expect(weekLetter(none, monday).paragraphs.slice(1)).toEqual([
    'Lunches: 0 (0, 0, 0, 0)',
    expect.stringMatching(
      /^- .*\n- Not collected: not marked at the hatch\n- No lunch ordered: no day with lunches\n- Closed days: none\n/,
    ),
  ])
  const many = Array.from({ length: 15 }, (_, at) =>
    lunch('2026-09-14', `Dish ${at + 1}`, `${at + 1}`, 20 - at),
  )
  const { paragraphs } = weekLetter({ ...none, lunches: many }, monday)
  const [, , byDish, byClass] = paragraphs.map((paragraph) => paragraph.split('\n- ').slice(1))
  expect(byDish).toHaveLength(9)
  expect(byDish!.at(-1)).toBe('Others: 63 (0, 0, 0, 0)')
  expect(byClass).toHaveLength(13)
})
