import { createHash } from 'node:crypto'
import type { IdentityNeeds } from '../needs'

/** Messages that somebody can cause to an address or a number that need not be theirs. */
type Kind = 'verification' | 'temporary-password' | 'guardian-invite' | 'phone-code'

/**
 * Takes one message of this kind from the budget of an address or number: three an hour, whoever causes them. Answers 0, or the whole
 * seconds until it may have another.
 */
export const takeMail = async (
  { rateLimits }: Pick<IdentityNeeds, 'rateLimits'>,
  kind: Kind,
  to: string,
): Promise<number> => {
  if (rateLimits === 'off') return 0
  const key = createHash('sha256').update(to.trim().toLowerCase()).digest('base64url')
  return rateLimits({ name: `mail-${kind}`, points: 3, seconds: 3600 }, key)
}
