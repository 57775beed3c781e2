import { dateReader, instantFromText } from '#kernel/parse-date'

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

const now = new Date('2026-11-25T09:00:00Z')
const readColumn = (...texts: string[]) =>
  texts.map(dateReader(texts, { now, zone })).map((at) => (at instanceof Date ? dayOf(at) : at))
const dayOf = (at: Date) => new Date(+at + 2 * 3_600_000).toISOString().slice(0, 10)

describe('the dates of a file', () => {
  test.each([
    ['the day before the month', ['05/09/2026', '06/09/2026'], ['2026-09-05', '2026-09-06']],
    ['the month first where a day needs it', ['09/05/2026', '09/13/2026'], ['2026-09-05', '2026-09-13']],
    ['the month first where it would be after tomorrow', ['11/12/2026', '11/11/2026'], null],
    ['the year first where it would be too old', ['26/11/02', '26/11/13'], ['2026-11-02', '2026-11-13']],
    ['the year first with the name of a month', ['26-Nov-02', '26-Nov-13'], ['2026-11-02', '2026-11-13']],
    ['the day first in a short date', ['02/11/26', '13/11/26'], ['2026-11-02', '2026-11-13']],
    [
      'the year first though one cannot be',
      ['26/11/02', '26/11/13', '26/12/24'],
      ['2026-11-02', '2026-11-13', 'The date 26/12/24 is after tomorrow'],
    ],
    [
      'the day first though one is too old',
      ['05/09/26', '13/09/26', '05/09/19'],
      ['2026-09-05', '2026-09-13', 'The date 05/09/19 is older than two years'],
    ],
    ['each as it is where there is no order', ['2026-09-13', '13 Sep 2026'], ['2026-09-13', '2026-09-13']],
  ])('are read with %s', (_how, texts, days) => {
    expect(readColumn(...texts)).toEqual(days ?? ['2026-11-12', '2026-11-11'])
  })

  test('that speak for two ways are read where they are one date alone', () => {
    expect(readColumn('09/13/2026', '13/09/2026', '05/09/2026', '05/05/2026')).toEqual([
      '2026-09-13',
      '2026-09-13',
      'The date 05/09/2026 can be read in several ways',
      '2026-05-05',
    ])
    expect(readColumn('26/11/24')).toEqual(['The date 26/11/24 can be read in several ways'])
    expect(readColumn('24/11/26')).toEqual(['2026-11-24'])
  })

  test.each([
    ['26/11/2026', '2026-11-26'],
    ['27/11/2026', 'The date 27/11/2026 is after tomorrow'],
    ['2026-11-26 23:59', '2026-11-26'],
    ['25/11/2024', '2024-11-25'],
    ['01/11/2024', 'The date 01/11/2024 is older than two years'],
    ['2002-11-26', 'The date 2002-11-26 is older than two years'],
    ['26 Nov 02', '2026-11-02'],
    ['#N/A', 'The date #N/A cannot be read'],
    ['soon', 'The date soon cannot be read'],
  ])('alone, %s is %s', (text, expected) => {
    expect(readColumn(text)).toEqual([expected])
  })
})
