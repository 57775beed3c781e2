import {
  decideAcceptance,
  decideInvite,
  decideKeptChild,
  decideNoSecondGuardian,
  decideRemoval,
  decideSeenChild,
} from '#modules/identity/students/student.decide'

const chipo = { id: 118, userId: 7, name: 'Chipo Banda', grade: '4', class: '4B', admissionNumber: null }
const mother = { userId: 7, role: 'parent' } as const
const father = { userId: 8, role: 'parent' } as const
const stranger = { userId: 9, role: 'parent' } as const
const office = { userId: 1, role: 'admin' } as const
const mothers = { student: chipo, isSecond: false }
const fathers = { student: chipo, isSecond: true }

const refusedWith = (code: string) => expect.objectContaining({ code })

describe("a child's guardians", () => {
  test.each([
    ['the first guardian', mother, mothers],
    ['a second guardian', father, fathers],
    ['the office', office, mothers],
  ])('are seen by %s', (_who, asker, ties) => {
    expect(decideSeenChild(asker, ties)).toBe(chipo)
  })

  test.each([
    ['a stranger', stranger, mothers],
    ['anybody, where there is no such child', mother, { student: undefined, isSecond: false }],
    [
      'anybody, where no account has the child',
      office,
      { student: { ...chipo, userId: null }, isSecond: false },
    ],
    ['anybody, of a staff entry', mother, { student: { ...chipo, grade: 'teacher' }, isSecond: false }],
  ])('are not there for %s', (_who, asker, ties) => {
    expect(() => decideSeenChild(asker, ties)).toThrow(refusedWith('student_not_found'))
  })

  test('are invited by the first alone, kept by the first and the office', () => {
    expect(decideKeptChild(mother, mothers, { orOffice: false })).toBe(chipo)
    expect(decideKeptChild(office, mothers, { orOffice: true })).toBe(chipo)
    const refused = refusedWith('first_guardian_only')
    expect(() => decideKeptChild(office, mothers, { orOffice: false })).toThrow(refused)
    expect(() => decideKeptChild(father, fathers, { orOffice: true })).toThrow(refused)
  })

  test.each([
    ['the first guardian', mother, mothers],
    ['the second themselves', father, fathers],
    ['the office', office, mothers],
  ])('lose a second by %s', (_who, asker, ties) => {
    expect(decideRemoval(asker, ties, father.userId)).toBe(chipo)
  })

  test('lose no second by another second, and the first by nobody', () => {
    const another = refusedWith('first_guardian_only')
    expect(() => decideRemoval({ userId: 10, role: 'parent' }, fathers, 8)).toThrow(another)
    expect(() => decideRemoval(stranger, mothers, 8)).toThrow(refusedWith('student_not_found'))
    for (const asker of [mother, father, office])
      expect(() => decideRemoval(asker, asker === father ? fathers : mothers, 7)).toThrow(
        refusedWith('first_guardian_stays'),
      )
  })

  test('keep the account of the first from being deleted with the child', () => {
    expect(() => decideNoSecondGuardian([])).not.toThrow()
    expect(() => decideNoSecondGuardian(['Chipo'])).toThrow(
      expect.objectContaining({
        code: 'child_has_second_guardian',
        message:
          'Chipo has a second guardian: move the child to another account, or remove the second guardian first',
      }),
    )
  })
})

describe('inviting', () => {
  const alone = { ownEmail: 'mother@example.org', seconds: 0, open: 0 }

  test('takes any address but the own one, whatever its case', () => {
    expect(() => decideInvite('father@example.org', alone)).not.toThrow()
    expect(() => decideInvite('Mother@Example.org ', alone)).toThrow(refusedWith('own_address'))
  })

  test.each([
    [3, 0],
    [0, 3],
    [1, 2],
  ])('ends at three: %i guardians and %i open invites', (seconds, open) => {
    const about = { ...alone, seconds, open }
    expect(() => decideInvite('father@example.org', about)).toThrow(refusedWith('too_many_guardians'))
    const oneFewer = seconds > 0 ? { ...about, seconds: seconds - 1 } : { ...about, open: open - 1 }
    expect(() => decideInvite('father@example.org', oneFewer)).not.toThrow()
  })
})

describe('accepting', () => {
  const now = new Date('2026-09-14T05:00:00Z')
  const invite = {
    studentId: 118,
    invitedBy: 7,
    email: 'father@example.org',
    expiresAt: new Date('2026-09-14T05:00:01Z'),
    acceptedAt: null,
  }
  const account = { id: 8, role: 'parent' as const, email: 'Father@example.org', emailVerifiedAt: now }
  const open = { invite, student: chipo, account, isSecond: false, now }

  test('is for the account with the address, to the last second', () => {
    expect(decideAcceptance(open)).toBe(chipo)
  })

  test.each([
    ['invite_not_found', { invite: undefined }],
    ['invite_not_found', { student: undefined }],
    ['invite_not_found', { student: { ...chipo, userId: 12 } }],
    ['parents_only', { account: { ...account, role: 'teacher' as const } }],
    ['own_child', { account: { ...account, id: 7 } }],
    ['invite_used', { invite: { ...invite, email: null, acceptedAt: now } }],
    ['invite_expired', { now: invite.expiresAt }],
    ['invite_for_another_address', { account: { ...account, email: 'other@example.org' } }],
    ['invite_for_another_address', { account: { ...account, email: null } }],
    ['address_not_verified', { account: { ...account, emailVerifiedAt: null } }],
    ['already_guardian', { isSecond: true }],
  ])('is refused with %s (%#)', (code, change) => {
    expect(() => decideAcceptance({ ...open, ...change })).toThrow(refusedWith(code))
  })
})
