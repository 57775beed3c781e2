import { decideGrant, decideParentOf } from '#modules/identity/accounts/rights.decide'

const admin = (features: string[], isSuperadmin = false) => ({
  userId: 1,
  role: 'admin',
  features,
  isSuperadmin,
})
const parent = { userId: 7, role: 'parent', features: [], isSuperadmin: false }

describe('making an administrator', () => {
  test('one hands out what one holds, each feature once', () => {
    expect(decideGrant(admin(['menu', 'admins']), ['menu', 'menu'])).toEqual(['menu'])
  })

  test('nobody hands out a feature they lack', () => {
    expect(() => decideGrant(admin(['menu', 'admins']), ['menu', 'refunds', 'settings'])).toThrow(
      expect.objectContaining({
        code: 'feature_not_held',
        message: 'You cannot grant features you do not hold: refunds, settings',
      }),
    )
  })

  test('superadmin hands out everything', () => {
    expect(decideGrant(admin([], true), ['refunds', 'settings'])).toEqual(['refunds', 'settings'])
  })
})

describe('adding a student', () => {
  test('a parent adds to their own account whatever id was sent', () => {
    expect(decideParentOf(parent, undefined)).toBe(7)
    expect(decideParentOf(parent, 8)).toBe(7)
  })

  test('an administrator of parents names the parent', () => {
    expect(decideParentOf(admin(['parents_students']), 8)).toBe(8)
    expect(decideParentOf(admin([], true), 8)).toBe(8)
    expect(() => decideParentOf(admin(['parents_students']), undefined)).toThrow(
      expect.objectContaining({ code: 'parent_required' }),
    )
  })

  test.each([admin(['menu']), { ...parent, role: 'teacher' }])('others may not: %j', (asker) => {
    expect(() => decideParentOf(asker, 7)).toThrow(expect.objectContaining({ code: 'feature_required' }))
  })
})
