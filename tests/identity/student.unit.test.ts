import { decideByOffice, decideDeletion } from '#modules/enrolment/deletion/deletion.decide'
import { decideOwnChild, mayOrderFor } from '#modules/identity/students/student.decide'

const chipo = { id: 118, userId: 7, name: 'Chipo Banda', grade: '4', class: '4B', admissionNumber: null }
const staffEntry = {
  id: 119,
  userId: 7,
  name: 'Mwila Banda',
  grade: 'teacher',
  class: null,
  admissionNumber: null,
}
const firstGuardian = { isSecondGuardian: false, hasLeft: false }

describe('editing and deleting', () => {
  test('a parent has their own child', () => {
    expect(decideOwnChild(chipo, 7)).toBe(chipo)
  })

  test.each([
    ["somebody else's child", chipo, 8],
    ["somebody else's staff entry", staffEntry, 8],
    ['a child that is not there', undefined, 7],
  ])('%s is not found', (_what, student, userId) => {
    expect(() => decideOwnChild(student, userId)).toThrow(
      expect.objectContaining({ code: 'student_not_found' }),
    )
  })

  test('a staff entry stays as it is', () => {
    expect(() => decideOwnChild(staffEntry, 7)).toThrow(expect.objectContaining({ code: 'staff_account' }))
  })

  test('the office removes children and the staff entries beside them, not a teacher’s', () => {
    expect(() => decideByOffice(chipo, { role: 'teacher' })).not.toThrow()
    expect(() => decideByOffice({ ...chipo, userId: null }, undefined)).not.toThrow()
    expect(() => decideByOffice(staffEntry, { role: 'parent' })).not.toThrow()
    expect(() => decideByOffice(staffEntry, { role: 'teacher' })).toThrow(
      expect.objectContaining({ code: 'staff_account' }),
    )
  })

  test('a child without orders can go', () => {
    expect(() => decideDeletion(chipo, { orderCount: 0, mealsInPayment: 0 })).not.toThrow()
  })

  test.each([
    [1, 0, 'Chipo Banda has 1 order and cannot be deleted'],
    [12, 0, 'Chipo Banda has 12 orders and cannot be deleted'],
    [0, 1, 'Chipo Banda has 1 meal being paid for and cannot be deleted'],
    [1, 2, 'Chipo Banda has 1 order and 2 meals being paid for and cannot be deleted'],
  ])('a child with %i order(s) and %i meal(s) in payment stays', (orderCount, mealsInPayment, message) => {
    expect(() => decideDeletion(chipo, { orderCount, mealsInPayment })).toThrow(
      expect.objectContaining({
        code: 'student_has_orders',
        message,
        extra: { canForce: false, orderCount, mealsInPayment },
      }),
    )
  })
})

describe('ordering', () => {
  test.each([
    ['parent', 7, chipo, true],
    ['parent', 7, staffEntry, true],
    ['parent', 8, chipo, false],
    ['teacher', 7, staffEntry, true],
    ['teacher', 7, chipo, false],
    ['teacher', 8, staffEntry, false],
    ['admin', 7, chipo, false],
  ])('%s %i for %j: %s', (role, id, student, allowed) => {
    expect(mayOrderFor({ id, role }, student, firstGuardian)).toBe(allowed)
  })

  test('a second guardian orders for the child, a teacher who is one does not', () => {
    const second = { isSecondGuardian: true, hasLeft: false }
    expect(mayOrderFor({ id: 8, role: 'parent' }, chipo, second)).toBe(true)
    expect(mayOrderFor({ id: 8, role: 'teacher' }, chipo, second)).toBe(false)
  })

  test('nobody orders for who has left', () => {
    const gone = { isSecondGuardian: false, hasLeft: true }
    expect(mayOrderFor({ id: 7, role: 'parent' }, chipo, gone)).toBe(false)
  })
})
