import { claimCodeHashes, newClaimCode } from '#modules/identity/roll/claim-code.commands'
import { familiesOf } from '#modules/identity/roll/families.decide'
import type { RollChild } from '#modules/identity/roll/roll-plan.decide'

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
    'a name counts where there is nothing else',
    [{ name: 'Mrs  Banda' }, { name: 'mrs banda' }, { name: 'Mrs Banda', phone }],
    [[3], [1, 2]],
  ],
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
