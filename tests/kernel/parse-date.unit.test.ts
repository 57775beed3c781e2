import * as fc from 'fast-check'
import { dateReader, instantFromText } from '#kernel/parse-date'
import {
  addDays,
  cycleDate,
  instantAt,
  isSchoolDate,
  longDay,
  mondayOf,
  schoolMoment,
  weekdayOf,
} from '#kernel/school-time'

describe('parse date', () => {
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
    ['05/09/2026 06:39 hrs', '2026-09-05T04:39:00.000Z'],
    ['05/09/2026 06:39:12 CAT', '2026-09-05T04:39:12.000Z'],
    ['05/09/2026 - 06:39', '2026-09-05T04:39:00.000Z'],
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
      [
        '46328.25',
        "The date 46328.25 is a spreadsheet's number of a day. Show that column as dates and save the file again.",
      ],
    ])('alone, %s is %s', (text, expected) => {
      expect(readColumn(text)).toEqual([expected])
    })
  })
})

describe('school time', () => {
  fc.configureGlobal({ seed: 20260914 })

  const lusaka = 'Africa/Lusaka'
  const newYork = 'America/New_York'

  const day = fc.integer({ min: 0, max: 200 * 365 }).map((days) => addDays('1970-01-01', days))
  const minuteOfDay = fc.integer({ min: 0, max: 24 * 60 - 1 })
  const zone = fc.constantFrom(lusaka, 'UTC', newYork, 'Europe/London', 'Pacific/Auckland', 'Asia/Kathmandu')

  test('the school in Lusaka is two hours ahead of UTC, also across midnight', () => {
    expect(schoolMoment(new Date('2026-09-13T22:00:00Z'), lusaka)).toEqual({
      date: '2026-09-14',
      hour: 0,
      minute: 0,
      weekday: 1,
    })
    expect(schoolMoment(new Date('2026-12-31T21:59:59.999Z'), lusaka)).toMatchObject({
      date: '2026-12-31',
      hour: 23,
      minute: 59,
      weekday: 4,
    })
    expect(schoolMoment(new Date('2026-12-31T22:00:00Z'), lusaka).date).toBe('2027-01-01')
  })

  test('eight o’clock in Lusaka is six o’clock UTC', () => {
    expect(instantAt('2026-09-16', 8, 0, lusaka)).toEqual(new Date('2026-09-16T06:00:00Z'))
  })

  test('the same wall time is another instant in summer and in winter', () => {
    expect(instantAt('2026-01-15', 8, 0, newYork)).toEqual(new Date('2026-01-15T13:00:00Z'))
    expect(instantAt('2026-07-15', 8, 0, newYork)).toEqual(new Date('2026-07-15T12:00:00Z'))
    expect(instantAt('2026-03-08', 8, 0, newYork)).toEqual(new Date('2026-03-08T12:00:00Z'))
    expect(instantAt('2026-11-01', 8, 0, newYork)).toEqual(new Date('2026-11-01T13:00:00Z'))
  })

  test('a wall time that the clock skips is the instant of the jump', () => {
    expect(instantAt('2026-03-08', 2, 0, newYork)).toEqual(new Date('2026-03-08T07:00:00Z'))
    expect(instantAt('2026-03-08', 2, 30, newYork)).toEqual(new Date('2026-03-08T07:00:00Z'))
    expect(instantAt('2026-03-29', 1, 30, 'Europe/London')).toEqual(new Date('2026-03-29T01:00:00Z'))
    expect(instantAt('2026-09-27', 2, 59, 'Pacific/Auckland')).toEqual(new Date('2026-09-26T14:00:00Z'))
  })

  test('a wall time that the clock shows twice is the first of the two', () => {
    expect(instantAt('2026-11-01', 1, 30, newYork)).toEqual(new Date('2026-11-01T05:30:00Z'))
    expect(instantAt('2026-10-25', 1, 0, 'Europe/London')).toEqual(new Date('2026-10-25T00:00:00Z'))
    expect(instantAt('2026-04-05', 2, 15, 'Pacific/Auckland')).toEqual(new Date('2026-04-04T13:15:00Z'))
  })

  test('an instant at the school shows that date and time, or the first later one where the clock jumps', () => {
    fc.assert(
      fc.property(day, minuteOfDay, zone, (date, minutes, zone) => {
        const at = instantAt(date, Math.floor(minutes / 60), minutes % 60, zone)
        const shown = schoolMoment(at, zone)
        const before = schoolMoment(new Date(at.getTime() - 1000), zone)
        const wanted = `${date} ${String(minutes).padStart(4, '0')}`
        const text = (moment: typeof shown) =>
          `${moment.date} ${String(moment.hour * 60 + moment.minute).padStart(4, '0')}`
        expect(text(shown) >= wanted).toBe(true)
        expect(text(before) < wanted).toBe(true)
      }),
    )
  })

  test('in a zone without summer time every wall time is shown exactly', () => {
    fc.assert(
      fc.property(day, minuteOfDay, (date, minutes) => {
        const at = instantAt(date, Math.floor(minutes / 60), minutes % 60, lusaka)
        const shown = schoolMoment(at, lusaka)
        expect([shown.date, shown.hour * 60 + shown.minute]).toEqual([date, minutes])
      }),
    )
  })

  test('days are added across months, years and leap days', () => {
    expect(addDays('2026-01-31', 1)).toBe('2026-02-01')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2028-02-29', 1)).toBe('2028-03-01')
    expect(addDays('2100-02-28', 1)).toBe('2100-03-01')
    expect(addDays('2027-03-01', -1)).toBe('2027-02-28')
  })

  test('adding days and taking them away again is nothing, and later dates compare greater', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 400 }), (date, days) => {
        expect(addDays(addDays(date, days), -days)).toBe(date)
        expect(addDays(date, days) > date).toBe(true)
      }),
    )
  })

  test('weekdays run from Monday 1 to Sunday 7', () => {
    expect(['2026-09-14', '2026-09-18', '2026-09-20', '2028-02-29'].map(weekdayOf)).toEqual([1, 5, 7, 2])
    fc.assert(fc.property(day, (date) => expect(weekdayOf(addDays(date, 1))).toBe((weekdayOf(date) % 7) + 1)))
  })

  test('the Monday of a date is a Monday at most six days before it', () => {
    expect(mondayOf('2026-09-14')).toBe('2026-09-14')
    expect(mondayOf('2026-09-20')).toBe('2026-09-14')
    expect(mondayOf('2027-01-01')).toBe('2026-12-28')
    fc.assert(
      fc.property(day, (date) => {
        const monday = mondayOf(date)
        expect(weekdayOf(monday)).toBe(1)
        expect(monday <= date && date < addDays(monday, 7)).toBe(true)
      }),
    )
  })

  test('day d of week w is start + 7(w−1) + (d−1)', () => {
    expect(cycleDate('2026-09-14', 1, 1)).toBe('2026-09-14')
    expect(cycleDate('2026-09-14', 2, 3)).toBe('2026-09-23')
    expect(cycleDate('2026-12-07', 4, 5)).toBe('2027-01-01')
    expect(cycleDate('2028-02-28', 1, 2)).toBe('2028-02-29')
  })

  test('day d of a cycle that starts on a Monday is weekday d, in order and never twice', () => {
    const monday = day.map(mondayOf)
    fc.assert(
      fc.property(monday, (start) => {
        const dates = [1, 2, 3, 4, 5, 6].flatMap((week) =>
          [1, 2, 3, 4, 5].map((day) => ({ day, date: cycleDate(start, week, day) })),
        )
        expect(dates.map(({ date }) => weekdayOf(date))).toEqual(dates.map(({ day }) => day))
        expect([...new Set(dates.map(({ date }) => date))].toSorted()).toEqual(dates.map(({ date }) => date))
      }),
    )
  })

  test.each(['2026-09-14', '2028-02-29', '2026-12-31', '0001-01-01'])('%s is a date', (text) => {
    expect(isSchoolDate(text)).toBe(true)
  })

  test.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-9-1',
    '',
    '2026-09-14\n',
  ])('%j is no date', (text) => expect(isSchoolDate(text)).toBe(false))

  test.each([
    ['2026-09-16', 'Wednesday, 16 September 2026'],
    ['2028-02-29', 'Tuesday, 29 February 2028'],
  ])('%s is written out as %s', (date, words) => expect(longDay(date)).toBe(words))
})
