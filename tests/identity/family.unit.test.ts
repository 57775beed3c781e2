import { safeParse } from 'zod/mini'
import { allergenNames, allergensMet, readAllergens } from '#contracts/allergens'
import { personName } from '#contracts/endpoint'
import { standardAllergens } from '#contracts/health'
import { decideByOffice, decideDeletion } from '#modules/enrolment/deletion/deletion.decide'
import {
  decideAcceptance,
  decideInvite,
  decideKeptChild,
  decideNoSecondGuardian,
  decideRemoval,
  decideSeenChild,
  decideOwnChild,
  mayOrderFor,
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
  const asked = (change: object = {}) => [{ invite, student: chipo, isSecond: false, ...change }]
  const open = { asked: asked(), account, by: 'code', now } as const

  test('is for the account with the address, to the last second', () => {
    expect(decideAcceptance(open)).toEqual([chipo])
  })

  test('by the mailed link it is too where nobody has confirmed the address yet', () => {
    const unproven = { ...account, emailVerifiedAt: null }
    expect(decideAcceptance({ ...open, by: 'mail', account: unproven })).toEqual([chipo])
  })

  test('without an address it is for whoever has the code, not for an id', () => {
    const shared = { ...open, asked: asked({ invite: { ...invite, email: null } }) }
    expect(decideAcceptance({ ...shared, account: { ...account, email: null } })).toEqual([chipo])
    expect(() => decideAcceptance({ ...shared, by: 'id' })).toThrow(refusedWith('invite_not_found'))
  })

  test('is for all its children who are still there, without those that the account has', () => {
    const mutale = { ...chipo, id: 120, name: 'Mutale Banda' }
    const of = [
      ...asked({ isSecond: true }),
      ...asked({ student: mutale }),
      ...asked({ student: undefined }),
      ...asked({ student: { ...chipo, id: 121, userId: 12 } }),
    ]
    expect(decideAcceptance({ ...open, asked: of })).toEqual([mutale])
  })

  test.each([
    ['invite_not_found', { asked: [] }],
    ['invite_not_found', { asked: asked({ student: undefined }) }],
    ['invite_not_found', { asked: asked({ student: { ...chipo, userId: 12 } }) }],
    ['parents_only', { account: { ...account, role: 'teacher' as const } }],
    ['own_child', { account: { ...account, id: 7 } }],
    ['invite_used', { asked: asked({ invite: { ...invite, email: null, acceptedAt: now } }) }],
    ['invite_expired', { now: invite.expiresAt }],
    ['invite_for_another_address', { account: { ...account, email: 'other@example.org' } }],
    ['invite_for_another_address', { account: { ...account, email: null } }],
    ['invite_for_another_address', { by: 'mail' as const, account: { ...account, email: null } }],
    ['address_not_verified', { account: { ...account, emailVerifiedAt: null } }],
    ['address_not_verified', { by: 'id' as const, account: { ...account, emailVerifiedAt: null } }],
    ['already_guardian', { asked: asked({ isSecond: true }) }],
  ])('is refused with %s (%#)', (code, change) => {
    expect(() => decideAcceptance({ ...open, ...change })).toThrow(refusedWith(code))
  })
})

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

const isName = (name: string) => safeParse(personName('Name is required'), name).success

test.each([
  'Chanda Mwila',
  'J.B. Phiri',
  'J.Banda',
  'Mrs.Banda',
  'Dr. Lungu',
  'St.John',
  "N'gandu",
  'Ana-Maria Sá',
  'Ng’andu',
  'ንጉሴ',
  '小明',
  'Mulenga (Grade 4/5)',
])('%j is a name', (name) => {
  expect(isName(name)).toBe(true)
})

test.each([
  'See https://evil.example',
  'www.evil.example',
  'Mulenga evil.com',
  'Win at bit.ly/abc',
  'evil.example/a',
  'pay.evil.ru',
  'go t.me now',
  'EVIL.APP',
  'Banda evil。com',
  'Two\nLines',
  'Tab\tbed',
  '\u3164',
  '\u115f\u1160',
  '\u2800\u2800',
  '\u0301',
  '\u034f',
  '-',
  "' ’",
  'Banda\u202eadnaB',
  '\u200b\u200b',
])('%j is none', (name) => {
  expect(isName(name)).toBe(false)
})

const list = [...standardAllergens, 'Mustard', 'Celery']
const read = (...texts: string[]) => readAllergens(texts, list)

test.each([
  ['Milk;Wheat', ['Milk', 'Wheat']],
  ['Milk and eggs', ['Milk', 'Eggs']],
  ['milk AND Eggs', ['Milk', 'Eggs']],
  ['Milk & Eggs', ['Milk', 'Eggs']],
  ['Milk, Eggs and Tree Nuts', ['Milk', 'Eggs', 'Tree Nuts']],
  ['Milk/Wheat|Sesame', ['Milk', 'Wheat', 'Sesame']],
  ['- Milk\n- Wheat\r\n', ['Milk', 'Wheat']],
  ['Milk；Wheat', ['Milk', 'Wheat']],
  ['Groundnuts', ['Peanuts']],
  ['ground-nut', ['Peanuts']],
  ['Peanut', ['Peanuts']],
  ['egg', ['Eggs']],
  ['dairy', ['Milk']],
  ['LACTOSE', ['Milk']],
  ["Cow's milk", ['Milk']],
  ['gluten', ['Wheat']],
  ['Cereals containing gluten', ['Wheat']],
  ['soya', ['Soybeans']],
  ['Soy beans', ['Soybeans']],
  ['shrimps', ['Shellfish']],
  ['crustaceans, molluscs', ['Shellfish']],
  ['sesame seeds', ['Sesame']],
  ['treenuts', ['Tree Nuts']],
  ['TREE  NUT', ['Tree Nuts']],
  ['Tree Nuts (almonds, cashews)', ['Tree Nuts']],
  ['Nuts', ['Tree Nuts', 'Peanuts']],
  ['seafood', ['Fish', 'Shellfish']],
  ['Contains: Milk', ['Milk']],
  ['Contains:\nMilk', ['Milk']],
  ['contains milk and wheat', ['Milk', 'Wheat']],
  ['Allergens: Milk; may contain traces of peanuts', ['Milk', 'Peanuts']],
  ['Allergy advice: contains eggs', ['Eggs']],
  ['Mílk\u200B', ['Milk']],
  ['mustard.', ['Mustard']],
  ['Milk*, **Wheat**', ['Milk', 'Wheat']],
  ['• Milk • Eggs', ['Milk', 'Eggs']],
  ['Milk + eggs', ['Milk', 'Eggs']],
  ['Milk · Eggs', ['Milk', 'Eggs']],
  ['contains nuts or peanuts', ['Tree Nuts', 'Peanuts']],
  ['Milk and/or eggs', ['Milk', 'Eggs']],
  ['Contains milk and eggs. May contain peanuts.', ['Milk', 'Eggs', 'Peanuts']],
  ['Milk¦Eggs', ['Milk', 'Eggs']],
])('%j says %j', (text, names) => {
  expect(read(text)).toEqual({ names, problem: null })
})

test.each(['none', 'None.', ' NONE ', 'n/a', 'N/A', 'n / a', 'N.A.', '-', '–', '', '  ', 'Contains: none'])(
  '%j says that there is none',
  (text) => {
    expect(read(text)).toEqual({ names: [], problem: null })
  },
)

test.each([
  ['Penuts', 'Penuts', 'Peanuts'],
  ['Milk, Eegs', 'Eegs', 'Eggs'],
  ['Milk Wheat', 'Milk Wheat', 'Wheat'],
  ['Mustrad', 'Mustrad', 'Mustard'],
  ['groundnutz', 'groundnutz', 'Peanuts'],
  ['Contains', 'Contains', expect.any(String)],
  ['no milk', 'no milk', 'Milk'],
  ['gluten-free', 'gluten-free', expect.any(String)],
  ['Does not contain: eggs', 'Does not contain: eggs', expect.any(String)],
  ['#N/A', '#N/A', expect.any(String)],
  ['Lupin', 'Lupin', expect.any(String)],
  ['?', '?', expect.any(String)],
  ['✓', '✓', expect.any(String)],
  ['Milk; ??', '??', expect.any(String)],
])('%j is refused, with the nearest allergen', (text, word, name) => {
  const { problem } = read(text)
  const [, told, near] = /^"(.*)" is not on the school's list of allergens; the nearest is (.*)$/.exec(
    problem!,
  )!
  expect([told, near]).toEqual([word, name])
  expect(list).toContain(near)
})

test.each([['none, Milk'], ['Milk; n/a'], ['Milk/-'], ['Milk (none)']])('%j is refused as both', (text) => {
  expect(read(text).problem).toMatch(/^".*" is listed with Milk: write one or the other$/)
})

test('each entry of a list is read, and none beside another is refused there too', () => {
  expect(read('Milk', 'egg; soya', 'MILK')).toEqual({ names: ['Milk', 'Eggs', 'Soybeans'], problem: null })
  expect(read('None', 'Milk').problem).not.toBeNull()
})

test('a word of the list itself is read before its words are', () => {
  expect(readAllergens(['Royal jelly'], [...list, 'Royal Jelly'])).toEqual({
    names: ['Royal Jelly'],
    problem: null,
  })
})

test('a long text of nonsense is told in few words', () => {
  const { problem } = read(Array.from({ length: 40 }, (_, index) => `zzz${index}`).join(';'))
  expect(problem!.match(/the nearest is/g)).toHaveLength(5)
})

test.each([
  [['Milk'], ['Milk;Wheat'], ['Milk']],
  [['Wheat'], ['Contains: gluten'], ['gluten']],
  [['Peanuts'], ['Groundnuts'], ['Groundnuts']],
  [['Eggs'], ['Milk and eggs'], ['eggs']],
  [['peanut'], ['Peanuts', 'Milk'], ['Peanuts']],
  [['Mustard;Celery'], ['celery'], ['celery']],
  [['Milk'], ['none'], []],
  [['Milk'], ['coconut milk'], []],
])(
  'of somebody allergic to %j a meal with %j meets %j, however it was stored',
  (allergies, allergens, met) => {
    expect(allergensMet(allergies, allergens)).toEqual(met)
  },
)

test('what stands in other words since before is shown under the names of the list', () => {
  expect(allergenNames(['Milk;gluten', 'Contains: groundnuts', 'Royal jelly', 'none'])).toEqual([
    'Milk',
    'Wheat',
    'Peanuts',
    'Royal jelly',
  ])
})
