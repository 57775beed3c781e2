import { areTied, decideGrant, decideParentOf } from '#modules/identity/accounts/account.decide'

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

describe('two administrators are not two persons for sure', () => {
  const [chief, bursar, clerk, cook, guest] = [1, 2, 3, 4, 5]
  const free = {
    madeBy: chief,
    passwordSetBy: null,
    featuresSetBy: null,
    secondFactorRemovedBy: null,
  }
  const office = (hands: Record<number, Partial<Record<keyof typeof free, number>>> = {}) =>
    [chief, bursar, clerk, cook, guest].map((id) => ({
      ...free,
      ...(id === chief && { madeBy: null }),
      ...hands[id],
      id,
      isSuperadmin: id === chief,
    }))
  const tied = (hands: Parameters<typeof office>[0], ...pairs: [number, number][]) =>
    pairs.map(([one, other]) => [areTied(one, other, office(hands)), areTied(other, one, office(hands))])
  const both = [true, true]

  test('though superadmin made both of their accounts', () =>
    expect(tied({}, [bursar, clerk])).toEqual([[false, false]]))
  test('one is nobody else', () => expect(areTied(bursar, bursar, office())).toBe(true))
  test('where one made the account of the other, superadmin too', () =>
    expect(tied({ [clerk]: { madeBy: bursar } }, [bursar, clerk], [chief, cook])).toEqual([both, both]))
  test.each(['passwordSetBy', 'featuresSetBy', 'secondFactorRemovedBy'])(
    'where one has the other’s %s',
    (what) =>
      expect(tied({ [clerk]: { [what]: bursar } }, [bursar, clerk], [bursar, cook])).toEqual([
        both,
        [false, false],
      ]),
  )
  test('where accounts stand between them', () => {
    const chain = { [clerk]: { madeBy: bursar }, [cook]: { featuresSetBy: clerk } }
    expect(tied(chain, [bursar, cook], [guest, cook])).toEqual([both, [false, false]])
  })
  test('where a third who is not superadmin made both, but not where it gave both their rights', () => {
    expect(tied({ [clerk]: { madeBy: bursar }, [cook]: { madeBy: bursar } }, [clerk, cook])).toEqual([both])
    const rights = { [clerk]: { featuresSetBy: bursar }, [cook]: { featuresSetBy: bursar } }
    expect(tied(rights, [clerk, cook])).toEqual([[false, false]])
  })
  test('where each set the rights of the other', () => {
    const ring = { [clerk]: { featuresSetBy: cook }, [cook]: { featuresSetBy: clerk } }
    expect(tied(ring, [clerk, cook], [clerk, guest])).toEqual([both, [false, false]])
  })
})
