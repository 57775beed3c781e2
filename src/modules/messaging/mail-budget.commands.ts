import { createHash } from 'node:crypto'
import type { MessagingNeeds } from './needs'

/**
 * Whose mailbox an address is: what stands behind a plus, and the dots of Gmail, make other addresses but no other
 * mailbox. A phone number is its own.
 */
export const mailboxOf = (to: string): string => {
  const [local = '', host] = to.trim().toLowerCase().split('@')
  if (host === undefined) return local
  const name = local.split('+')[0] || local
  return /^(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Messages that somebody can cause to an address or a number that need not be theirs. */
type Kind = 'verification' | 'temporary-password' | 'guardian-invite' | 'phone-code'

/**
 * Takes one message of this kind from the budget of an address or number: three an hour, whoever causes them. Answers 0, or the whole
 * seconds until it may have another.
 */
export const consumeMail = async (
  { rateLimits }: MessagingNeeds,
  kind: Kind,
  to: string,
): Promise<number> => {
  if (rateLimits === 'off') return 0
  const key = createHash('sha256').update(mailboxOf(to)).digest('base64url')
  return rateLimits({ name: `mail-${kind}`, points: 3, seconds: 3600 }, key)
}
