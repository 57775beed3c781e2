import { CallError, messageOf } from '../../web/lib/call'
import {
  capitalised,
  clockTime,
  counted,
  dateRange,
  dayAndMonth,
  gradeLabel,
  kwacha,
  longDate,
  longDay,
} from '../../web/lib/format'
import { dateAndTime, schoolClock, schoolDate, schoolDay, setSchoolZone } from '../../web/lib/school-moment'

test('the names of proteins and sides begin with a capital, as the menu writes them', () => {
  expect(['beef', 'Nshima', 'peri-peri goat', ''].map(capitalised)).toEqual([
    'Beef',
    'Nshima',
    'Peri-peri goat',
    '',
  ])
})

describe('an error', () => {
  const body = JSON.stringify({ message: 'No soup', error: 'No soup', code: 'no_soup' })
  test('is status and text from 500 on, status and body below', () => {
    expect(new CallError(503, 'Service Unavailable', body).message).toBe('503: Service Unavailable')
    expect(new CallError(409, 'Conflict', 'plain words').message).toBe('409: plain words')
  })
  test('keeps what the server said', () => {
    const error = new CallError(409, 'Conflict', body)
    expect([error.code, messageOf(error, 'Failed')]).toEqual(['no_soup', 'No soup'])
  })
  test('has its own words for no words and for no answer', () => {
    expect(messageOf(new CallError(502, '', '<html>'), 'Failed', 'Unanswered')).toBe('Failed')
    expect(messageOf(new TypeError('network'), 'Failed', 'Unanswered')).toBe('Unanswered')
  })
})

test('money', () => {
  expect([kwacha(45), kwacha('1234.5'), kwacha(0)]).toEqual(['K45.00', 'K1,234.50', 'K0.00'])
})

test('dates are written out', () => {
  expect(longDay('2026-09-16')).toBe('Wednesday, 16 September 2026')
  expect(longDate('2026-09-16')).toBe('16 September 2026')
  expect(dayAndMonth('2026-09-16')).toBe('16 September')
  expect(dateRange('2026-09-14', '2026-09-18')).toBe('14 – 18 September 2026')
  expect(dateRange('2026-09-28', '2026-10-02')).toBe('28 September – 2 October 2026')
  expect(longDate('nonsense')).toBe('Invalid date')
})

describe("times are the school's", () => {
  afterEach(() => setSchoolZone('Africa/Lusaka'))
  const late = '2026-09-16T22:30:00.000Z'
  const inAllWords = () => [dateAndTime(late), schoolDay(late), schoolClock(late), schoolDate(late)]

  test('in Lusaka', () => {
    expect(inAllWords()).toEqual(['17 September 2026 at 00:30', '17 Sep 2026', '00:30', '2026-09-17'])
  })
  test('in the zone that the server names', () => {
    setSchoolZone('Africa/Accra')
    expect(inAllWords()).toEqual(['16 September 2026 at 22:30', '16 Sep 2026', '22:30', '2026-09-16'])
  })
  test("where the browser knows no such zone the device's own are better than none", () => {
    setSchoolZone('Mars/Base')
    const device = new Intl.DateTimeFormat('sv-SE').format(new Date(late))
    expect(schoolDate(late)).toBe(device)
  })
  test('a wall clock', () => {
    expect(clockTime(8, 5)).toBe('08:05')
    expect(dateAndTime('nonsense')).toBe('Invalid date')
  })
})

test('words', () => {
  expect([counted(1, 'meal'), counted(2, 'meal')]).toEqual(['1 meal', '2 meals'])
  expect(counted(30344, 'order')).toBe('30,344 orders')
  expect([gradeLabel('ELC'), gradeLabel('teacher')]).toEqual(['Grade ELC', 'Staff Account'])
})
