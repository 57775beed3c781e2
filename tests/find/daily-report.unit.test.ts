import { needingSomebody, reportDay, reportLetter } from '#modules/find/daily-report.decide'

const zone = 'Africa/Lusaka'
const at = (text: string) => ({ now: new Date(text), zone })
const clock = at('2026-09-15T06:30:00+02:00')

const well = {
  lastBackup: new Date('2026-09-14T20:00:00Z'),
  failing: [],
  unpaid: { families: 0, amount: 0, today: 0, amountToday: 0 },
  paidWithoutOrder: 0,
  refunds: { due: 0, owed: 0, toCheck: 0, askedBy: [] },
  payoutsAsked: 0,
  unreached: 0,
}

test.each([
  ['2026-09-15T06:29:59+02:00', null],
  ['2026-09-15T06:30:00+02:00', '2026-09-15'],
  ['2026-09-15T23:59:00+02:00', '2026-09-15'],
  ['2026-09-16T00:00:00+02:00', null],
])('at %s the report of %s is due', (text, day) => {
  expect(reportDay(at(text))).toBe(day)
})

test('where all is well nothing is said', () => {
  expect(needingSomebody(well, clock)).toEqual([])
})

test.each<[string, Partial<typeof well> | { lastBackup: null }, string]>([
  ['no backup', { lastBackup: null }, 'Backup: none was made yet'],
  [
    'an old backup',
    { lastBackup: new Date('2026-09-13T16:30:00Z') },
    'Backup: the last one is 36 hours old (18:30 on Sunday, 13 September 2026)',
  ],
  [
    'unpaid meals',
    { unpaid: { families: 2, amount: 9_100, today: 1, amountToday: 4_550 } },
    'Unpaid: 2 families owe K91.00, of it 1 meal of today (K45.50)',
  ],
  [
    'paid without order',
    { paidWithoutOrder: 1 },
    'Paid without an order: 1 payment to decide in Order Recovery',
  ],
  [
    'refunds due',
    { refunds: { due: 3, owed: 1_000, toCheck: 0, askedBy: [] } },
    'Refunds: 3 refunds of K10.00 wait',
  ],
  [
    'refunds to check',
    { refunds: { due: 0, owed: 0, toCheck: 1, askedBy: [] } },
    'Refunds: 1 refund through the provider to check',
  ],
  ['approvals', { payoutsAsked: 2 }, 'Approvals: 2 wait for a second administrator'],
  ['messages that failed', { unreached: 1 }, 'Messages: 1 family not reached in the last three days'],
])('%s', (_what, fact, line) => {
  expect(needingSomebody({ ...well, ...fact }, clock)).toEqual([line])
})

test('read models that stand still are named with the reason', () => {
  const failing = [{ what: 'read models', name: 'ordering', reason: 'the table x is missing' }]
  expect(needingSomebody({ ...well, failing }, clock)).toEqual([
    'Service: read models ordering fails: the table x is missing',
  ])
})

test('only what needs somebody is written, on Mondays also that all is well', () => {
  expect(reportLetter(['one', 'two'], '2026-09-15')).toEqual({
    subject: '2 things to look at today',
    paragraphs: ['this needs somebody:', '- one\n- two'],
  })
  expect(reportLetter([], '2026-09-15')).toBeNull()
  expect(reportLetter([], '2026-09-14')).toMatchObject({ subject: 'All is well' })
})
