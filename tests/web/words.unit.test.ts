import { CallError, messageOf } from '../../web/lib/call'
import {
  clockTime,
  counted,
  dateAndTime,
  dateRange,
  dayAndMonth,
  gradeLabel,
  kwacha,
  longDate,
  longDay,
  wholeKwacha,
} from '../../web/lib/format'

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
  expect(wholeKwacha(44.1)).toBe('K45')
})

test('dates are written out', () => {
  expect(longDay('2026-09-16')).toBe('Wednesday, 16 September 2026')
  expect(longDate('2026-09-16')).toBe('16 September 2026')
  expect(dayAndMonth('2026-09-16')).toBe('16 September')
  expect(dateRange('2026-09-14', '2026-09-18')).toBe('14 – 18 September 2026')
  expect(dateRange('2026-09-28', '2026-10-02')).toBe('28 September – 2 October 2026')
  expect(longDate('nonsense')).toBe('Invalid date')
})

test("times are the school's", () => {
  expect(dateAndTime('2026-09-16T22:30:00.000Z')).toBe('17 September 2026 at 00:30')
  expect(clockTime(8, 5)).toBe('08:05')
})

test('words', () => {
  expect([counted(1, 'meal'), counted(2, 'meal')]).toEqual(['1 meal', '2 meals'])
  expect([gradeLabel('ELC'), gradeLabel('teacher')]).toEqual(['Grade ELC', 'Staff Account'])
})
