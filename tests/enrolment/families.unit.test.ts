import { claimCodeHashes, newClaimCode } from '#modules/enrolment/claims/claim.commands'
import { familiesOf } from '#modules/enrolment/roll/families.decide'
import type { RollChild } from '#modules/enrolment/roll/roll-plan.decide'

type Guardian = { name?: string; email?: string; phone?: string }

const child = (id: number, { name, email, phone }: Guardian): RollChild => ({
  id,
  userId: null,
  name: 'Chipo',
  grade: '3',
  class: null,
  admissionNumber: null,
  guardianName: name ?? null,
  guardianEmail: email ?? null,
  guardianPhone: phone ?? null,
  onRollSince: new Date('2026-01-10T08:00:00Z'),
  leftAt: null,
})

const families = (...guardians: Guardian[]) =>
  familiesOf(guardians.map((guardian, index) => child(index + 1, guardian))).map((family) =>
    family.map(({ id }) => id),
  )

const one = 'one@example.org'
const two = 'two@example.org'
const phone = '0977 100 200'

test.each<[string, Guardian[], number[][]]>([
  [
    'the same address is one family, however it is written',
    [{ email: one }, { email: 'ONE@example.org' }],
    [[1, 2]],
  ],
  [
    'two addresses are two, also with one phone and name',
    [
      { email: one, phone, name: 'Banda' },
      { email: two, phone, name: 'Banda' },
    ],
    [[1], [2]],
  ],
  [
    'without an address the phone counts, with or without the country',
    [{ email: one, phone }, { phone: '+260 977 100200' }, { phone }],
    [[1, 2, 3]],
  ],
  [
    'a phone of two families is neither’s',
    [{ email: one, phone }, { email: two, phone }, { phone }],
    [[1], [2], [3]],
  ],
  [
    'a name alone joins nobody',
    [{ name: 'Mrs  Banda' }, { name: 'mrs banda' }, { name: 'Mrs Banda', phone }],
    [[3], [1], [2]],
  ],
  [
    'an address of different guardians joins nobody',
    [
      { name: 'Ruth Banda', email: one },
      { name: 'Paul Phiri', email: one },
    ],
    [[1], [2]],
  ],
  [
    'nor does one that more children have than a family, where nobody is named',
    Array.from({ length: 9 }, () => ({ name: 'Mother', email: one })),
    Array.from({ length: 9 }, (_, index) => [index + 1]),
  ],
  [
    'nor does their phone, also beside an address',
    [
      { name: 'Ruth Banda', phone },
      { name: 'Paul Phiri', email: two, phone: '+260977100200' },
    ],
    [[2], [1]],
  ],
  [
    'where an address is several guardians’ the phone counts',
    [
      { name: 'Ruth Banda', email: one, phone },
      { name: 'Mrs R. Banda', email: one, phone },
      { name: 'Paul Phiri', email: one },
    ],
    [[1, 2], [3]],
  ],
  [
    'a guardian may be written in other ways, or not named',
    [
      { name: 'Mrs Ruth Ng’andu', email: one },
      { name: "NG'ANDU, Ruth", email: one },
      { name: 'Mother', email: one },
      { email: one },
    ],
    [[1, 2, 3, 4]],
  ],
  ['a placeholder of an address', [{ email: 'none@none.com' }, { email: 'none@none.com' }], [[1], [2]]],
  ...['none@school.org', 'test@test.com', 'a@a.zm', 'n/a', 'noemail@gmail.com', 'NIL@x.org'].map(
    (email): [string, Guardian[], number[][]] => [
      `${email} joins nobody`,
      [
        { name: 'Mother', email },
        { name: 'Mother', email },
      ],
      [[1], [2]],
    ],
  ),
  ...['0000000000', '0999999999', '123456789', '0123456789', 'n/a', '-', 'unknown', '0970000000', '1111'].map(
    (number): [string, Guardian[], number[][]] => [
      `${number} joins nobody`,
      [{ phone: number }, { phone: number }],
      [[1], [2]],
    ],
  ),
  ['of whom nothing is known, everybody is a family', [{}, {}], [[1], [2]]],
])('%s', (_what, guardians, expected) => expect(families(...guardians)).toEqual(expected))

describe('a claim code', () => {
  test('has 8 letters, none like another and no vowel', () => {
    for (let made = 0; made < 200; made += 1) expect(newClaimCode()).toMatch(/^[BCDFGHJKMNPRSTVWXYZ]{8}$/)
  })

  test('is found however it is typed, also when the key has changed since; and by no other key', () => {
    const stored = claimCodeHashes(['old key']).stored('BCDFGHJK')
    expect(stored).not.toContain('BCDFGHJK')
    expect(claimCodeHashes(['new key', 'old key']).sought(' bcdf-ghjk ')).toContain(stored)
    expect(claimCodeHashes(['new key']).sought('BCDFGHJK')).not.toContain(stored)
  })
})
