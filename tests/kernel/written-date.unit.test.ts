import { dayOrderOf, instantFromText } from '#kernel/written-date'

const zone = 'Africa/Lusaka'

test.each([
  ['05/09/2026', '2026-09-04T22:00:00.000Z'],
  ['5/9/2026 06:39', '2026-09-05T04:39:00.000Z'],
  ['05-09-2026 06:39:12', '2026-09-05T04:39:12.000Z'],
  ['05.09.26, 6:39 PM', '2026-09-05T16:39:00.000Z'],
  ['05/09/2026 12:05 am', '2026-09-04T22:05:00.000Z'],
  ['2026-09-05', '2026-09-04T22:00:00.000Z'],
  ['2026-09-05 06:39:12', '2026-09-05T04:39:12.000Z'],
  ['2026-09-05T06:39:12.345', '2026-09-05T04:39:12.000Z'],
  ['2026-09-05T06:39:12Z', '2026-09-05T06:39:12.000Z'],
  ['2026-09-05T06:39+0300', '2026-09-05T03:39:00.000Z'],
  ['2026/9/5 06:39', '2026-09-05T04:39:00.000Z'],
  ['20260905', '2026-09-04T22:00:00.000Z'],
  ['20260905063912', '2026-09-05T04:39:12.000Z'],
  ['5 Sep 2026', '2026-09-04T22:00:00.000Z'],
  ['05-Sep-26 06:39', '2026-09-05T04:39:00.000Z'],
  ['5th September 2026', '2026-09-04T22:00:00.000Z'],
  ['Sat, 5 Sept 2026 06:39', '2026-09-05T04:39:00.000Z'],
  ['Sep 5, 2026 06:39', '2026-09-05T04:39:00.000Z'],
])('%s is %s in the school', (text, instant) => {
  expect(instantFromText(text, 'day-first', zone)?.toISOString()).toBe(instant)
})

test('the day the clock jumps is read by the clock on the wall', () => {
  expect(instantFromText('29/03/2026 12:00', 'day-first', 'Europe/Berlin')?.toISOString()).toBe(
    '2026-03-29T10:00:00.000Z',
  )
})

test.each([
  '',
  'Total',
  '31/02/2026',
  '13/13/2026',
  '05/09/2026 25:00',
  '5/9',
  '46270.27',
  '05/09/1926',
  '1/1/2026 noon',
])('%p is no date', (text) => {
  expect(instantFromText(text, 'day-first', zone)).toBeNull()
})

test('the day is before the month, unless the file says otherwise', () => {
  expect(dayOrderOf(['05/09/2026', '06/09/2026'])).toBe('day-first')
  expect(dayOrderOf(['09/05/2026', '09/13/2026'])).toBe('month-first')
  expect(dayOrderOf(['09/13/2026', '13/09/2026'])).toBe('day-first')
  expect(dayOrderOf(['2026-09-13'])).toBe('day-first')
  expect(instantFromText('09/05/2026', 'month-first', zone)?.toISOString()).toBe('2026-09-04T22:00:00.000Z')
})
