import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { channelsOf, smsNumber } from './channels.decide'
import { smsText } from './letters'
import { messageSettings } from './message-settings.rows'
import type { MessagingNeeds, NewMessage, OutboxMessage } from './outbox.rows'

/** The mailbox itself is refused (RFC 5321, 4.2.3); 5.7 is about who sends, which the school may mend within the day. */
export const isRefusedForGood = (error: unknown): boolean => {
  const { responseCode, command, response } = Object(error) as Record<string, unknown>
  const isOfMailbox = command === undefined || command === 'RCPT TO' || command === 'DATA'
  const code = String(responseCode)
  return isOfMailbox && /^55[01346]$|^521$/.test(code) && !/^\d{3}[ -]5\.7\./.test(String(response))
}

const refusedNamespace = '8e0f64c1-3b0c-4f0e-9d57-6d1f5c1f2b90'

/** None where the person is written by SMS anyway. */
export const smsInPlaceOf = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  { id, userId, subject, short }: OutboxMessage,
): Promise<NewMessage[]> => {
  if (userId === null || short === null) return []
  const account = (await needs.addressees.byIds(transaction, [userId])).get(userId)
  const settings = await messageSettings.read(transaction)
  if (!account || account.deletedAt) return []
  if (channelsOf(account, settings, false).length > 1) return []
  const to = smsNumber(account, settings)
  if (to === null) return []
  const text = smsText({ ...needs, short })
  return [{ written: { channel: 'sms', to, subject, text }, about: { userId, id: v5(id, refusedNamespace) } }]
}

export const whyNotSent = (error: unknown): string => {
  const { responseCode, code } = Object(error) as { responseCode?: unknown; code?: unknown }
  if (typeof responseCode === 'number') return `the mail server answered ${responseCode}`
  return `the mail server cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
}
