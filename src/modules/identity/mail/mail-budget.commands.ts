import { createHash } from 'node:crypto'
import type { IdentityNeeds } from '../needs'

/** Mails that somebody who is not signed in can cause. */
type Kind = 'verification' | 'temporary-password'

/** Whether this address may have another mail of this kind: three an hour, whoever causes them. */
export const mayMail = async (
  { rateLimits }: Pick<IdentityNeeds, 'rateLimits'>,
  kind: Kind,
  to: string,
): Promise<boolean> => {
  if (rateLimits === 'off') return true
  const key = createHash('sha256').update(to.trim().toLowerCase()).digest('base64url')
  return (await rateLimits({ name: `mail-${kind}`, points: 3, seconds: 3600 }, key)) === 0
}
