import { decideDeletion, decideOwnChild, mayOrderFor } from '#modules/identity/students/student.decide'

const chipo = { id: 118, userId: 7, name: 'Chipo Banda', grade: '4' }
const staffEntry = { id: 119, userId: 7, name: 'Mwila Banda', grade: 'teacher' }

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
    expect(mayOrderFor({ id, role }, student)).toBe(allowed)
  })
})
