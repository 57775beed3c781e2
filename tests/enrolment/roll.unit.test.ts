import { joinedHealth } from '#modules/identity/students/student.decide'
import {
  decideChild,
  decideNoSameDate,
  decideNothingInPayment,
  decideTwins,
  joined,
  decideUndo,
} from '#modules/enrolment/roll/roll-import.decide'
const chipo = { id: 118, userId: 7, name: 'Chipo', grade: '4', class: '4B', admissionNumber: null }
const code = (wanted: string) => expect.objectContaining({ code: wanted })

test.each([
  ['one that is not there', undefined, 'student_not_found'],
  ['a staff entry', { ...chipo, grade: 'teacher' }, 'staff_account'],
])('%s is no child of the roll', (_what, student, refusal) =>
  expect(() => decideChild(student)).toThrow(code(refusal)),
)

test.each([
  ['that is not kept', undefined],
  ['that was looked through and never applied', { appliedAt: null, undoneAt: null }],
])('a list %s cannot be undone', (_what, found) => {
  const at = new Date('2026-09-14T05:00:00Z')
  expect(() => decideUndo(found, at)).toThrow(code('import_not_found'))
  const applied = { appliedAt: at, undoneAt: null }
  expect(decideUndo(applied, at)).toBe(applied)
})

test('an entry is not merged into itself', () => {
  expect(() => decideTwins(118, 118)).toThrow(code('same_student'))
  expect(() => decideTwins(118, 119)).not.toThrow()
})

test.each([
  [1, 'A meal is being paid for. Please try again when that is done.'],
  [2, '2 meals are being paid for. Please try again when that is done.'],
])('with %i meal(s) being paid for a child stays where it is', (meals, message) => {
  expect(() => decideNothingInPayment(meals)).toThrow(
    expect.objectContaining({ code: 'meals_in_payment', message }),
  )
  expect(() => decideNothingInPayment(0)).not.toThrow()
})

test('two with lunches on one date are not merged, and the dates are told', () => {
  const dates = ['2026-09-15', '2026-09-16']
  expect(() => decideNoSameDate(dates)).toThrow(
    expect.objectContaining({ code: 'same_date', extra: { dates } }),
  )
  expect(() => decideNoSameDate([])).not.toThrow()
})

test('what the child that stays does not have it takes from the other', () => {
  const into: Record<string, string | null> = { class: null, admissionNumber: 'A-1' }
  expect(joined(into, { class: '4B', admissionNumber: 'A-2' }, ['class', 'admissionNumber'])).toEqual({
    class: '4B',
    admissionNumber: 'A-1',
  })
})

describe('the health of both', () => {
  const none = { allergies: null, diet: 'none', medicalNote: '', noteConsent: false } as const
  test('is whatever either must not eat', () => {
    const into = { ...none, allergies: ['Milk'], diet: 'halal' as const }
    const from = { ...none, allergies: ['milk', 'Eggs'], medicalNote: 'Inhaler', noteConsent: true }
    expect(joinedHealth(into, from)).toEqual({
      allergies: ['Milk', 'Eggs'],
      diet: 'halal',
      medicalNote: 'Inhaler',
      noteConsent: true,
    })
  })
  const note = (medicalNote: string, noteConsent: boolean) => ({ ...none, medicalNote, noteConsent })
  test.each([
    [
      'both notes under one consent',
      note('Inhaler', true),
      note('Epilepsy', true),
      note('Inhaler; Epilepsy', true),
    ],
    ['one note that says it for both', note('Inhaler', true), note('Inhaler', true), note('Inhaler', true)],
    [
      'the note that the kitchen may see',
      note('Private', false),
      note('Inhaler', true),
      note('Inhaler', true),
    ],
    ['the note that the kitchen saw', note('Inhaler', true), note('Private', false), note('Inhaler', true)],
    [
      'its own note where both do not fit',
      note('a'.repeat(150), true),
      note('b'.repeat(60), true),
      note('a'.repeat(150), true),
    ],
  ])('has %s', (_what, into, from, kept) => expect(joinedHealth(into, from)).toEqual(kept))
  test('stays undeclared, or what one of them declared', () => {
    expect(joinedHealth(none, none).allergies).toBeNull()
    expect(joinedHealth(none, { ...none, allergies: [] }).allergies).toEqual([])
  })
})
