import { updateProfile } from '#contracts/identity'
import {
  fullPasswordCost,
  hashPassword,
  matchPassword,
  passwordCostFor,
} from '#modules/identity/sign-in/password.commands'
import { testPasswordCost } from '../support/stand-ins'

test('a new password agrees with its repetition however a keyboard composes the letters', () => {
  const [composed, decomposed] = ['caf\u00e9-lunch', 'cafe\u0301-lunch']
  const typed = { name: 'Mutinta', currentPassword: 'a lantern' }
  for (const [newPassword, confirmPassword] of [
    [composed, decomposed],
    [decomposed, composed],
    [decomposed, decomposed],
  ])
    expect(updateProfile.body.safeParse({ ...typed, newPassword, confirmPassword }).success).toBe(true)
  expect(
    updateProfile.body.safeParse({ ...typed, newPassword: composed, confirmPassword: 'cafe-lunch' }).success,
  ).toBe(false)
})

describe('the cost of a password hash', () => {
  test('is 19 MiB and two passes of argon2id where nothing is said', async () => {
    const hash = await hashPassword('a lantern', passwordCostFor(true))
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(passwordCostFor(false)).toBe(fullPasswordCost)
  })

  test('may be lower in a test', () => {
    expect(passwordCostFor(false, testPasswordCost)).toBe(testPasswordCost)
  })

  test('cannot be lower in production', () => {
    expect(() => passwordCostFor(true, testPasswordCost)).toThrow(
      'In production passwords are hashed at the full cost (argon2id, 19 MiB, two passes).',
    )
  })

  test('does not keep a password from opening that was hashed at another cost', async () => {
    const now = () => new Date('2026-09-16T05:00:00Z')
    const credentials = {
      passwordHash: await hashPassword('a lantern', testPasswordCost),
      temporaryHash: null,
      temporaryExpiresAt: null,
      mustChangePassword: false,
    }
    const needs = { now, passwordCost: { memoryCost: 16, timeCost: 1, parallelism: 1 } }
    expect(await matchPassword(needs, credentials, 'a lantern')).toMatchObject({ password: true })
    expect(await matchPassword(needs, credentials, 'a torch')).toMatchObject({ password: false })
    expect(await matchPassword(needs, null, 'a lantern')).toMatchObject({ password: false, temporary: false })
  })
})
