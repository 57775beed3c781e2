import type { Reader } from '#platform/database'
import type { Account } from '../accounts/account'
import { channelsOf, type Channel, type SmsRule } from './channels.decide'

type Row = Pick<Account, 'email' | 'phone' | 'phoneVerifiedAt' | 'messageChannel'> & SmsRule

/** On which channels a message to this user goes out as things are; none: nothing reaches the user. */
export const reachedBy = async (at: Reader, userId: number): Promise<Channel[]> => {
  const { rows } = await at.query<Row>(
    `select account.email, account.phone, account."phoneVerifiedAt", account."messageChannel", settings.sms, settings."otherCountries"
     from identity.users account cross join identity.message_settings settings where account.id = $1`,
    [userId],
  )
  return rows[0] ? channelsOf(rows[0], rows[0], false) : []
}
