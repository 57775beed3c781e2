import type { Messaging } from '#modules/messaging/index'
import { channelsOf, type Channel } from '#modules/messaging/published'
import type { Reader } from '#platform/database'
import type { Account } from '../accounts/account'

type Row = Pick<Account, 'email' | 'phone' | 'phoneVerifiedAt' | 'messageChannel'>

export const reachedBy =
  ({ smsRuleAt }: Messaging) =>
  async (at: Reader, userId: number): Promise<Channel[]> => {
    const { rows } = await at.query<Row>(
      'select email, phone, "phoneVerifiedAt", "messageChannel" from identity.users where id = $1',
      [userId],
    )
    return rows[0] ? channelsOf(rows[0], await smsRuleAt(at), false) : []
  }
