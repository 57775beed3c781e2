import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { schoolMoment } from '#kernel/school-time'
import type { UserMessage } from '#kernel/user-message'
import { messageMail } from './letters'
import { withMail, type Post } from './mail.job'
import { outboxRows } from './outbox.rows'
import type { Addressee, MessagingNeeds } from './needs'
import { channelsOf, smsNumber, type Channel, type SmsRule } from './channels.decide'
import { readMessageSettings } from './message-settings.routes'
import { ceilingOf, smsDayRows } from './sms-days.rows'
import { smsText } from './sms-text'

const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'

const idOf = (cause: string, channel: Channel) =>
  v5(channel === 'mail' ? cause : `${channel}/${cause}`, messageNamespace)

/**
 * On the chosen channels: a letter by mail, short text by SMS. One message per `cause` and channel, however often called. False if nothing
 * reaches the user.
 */
export const messageUser =
  (needs: MessagingNeeds) =>
  async (userId: number, message: UserMessage, cause: string): Promise<boolean> => {
    const { knex } = needs.database
    const account = await needs.addressees.byId(knex, userId)
    if (!account || account.deletedAt) return false
    const ids = { mail: idOf(cause, 'mail'), sms: idOf(cause, 'sms') }
    if (await outboxRows(knex).isKnown(Object.values(ids))) return true
    return withMail(needs)(async (transaction, post) =>
      postMessage(needs, transaction, post)(account, message, ids),
    )
  }

/** In the caller's transaction; without `ids` always new. False if nothing reaches the user. */
export const postMessage =
  (needs: Ports, transaction: Knex.Transaction, post: Post) =>
  async (account: Addressee, message: UserMessage, ids?: Record<Channel, string>): Promise<boolean> => {
    const settings = await readMessageSettings(transaction)
    const today = schoolMoment(needs.now(), needs.zone).date
    const isDayFull =
      settings.sms && (await smsDayRows(transaction).isFull(today, ceilingOf(settings, 'message')))
    const channels = channelsOf(account, settings, isDayFull)
    for (const channel of channels) {
      const written =
        channel === 'mail' ? mailOf(needs, account, message) : smsOf(needs, account, message, settings)
      await post(written, { userId: account.id, id: ids?.[channel] })
    }
    return channels.length > 0
  }

const mailOf = ({ publicUrl, schoolName }: Ports, account: Addressee, message: UserMessage) =>
  messageMail({ to: account.email!, recipient: account, message, publicUrl, schoolName })

const smsOf = (
  { publicUrl, schoolName }: Ports,
  account: Addressee,
  { subject, short = `${subject}.` }: UserMessage,
  settings: SmsRule,
) => ({
  channel: 'sms' as const,
  to: smsNumber(account, settings)!,
  subject,
  text: smsText({ schoolName, short, publicUrl }),
})
