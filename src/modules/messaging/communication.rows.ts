import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import type { getCommunication } from '#contracts/identity'

export type Communication = ReplyOf<typeof getCommunication>

export const readCommunication = (knex: Knex): Promise<Communication> =>
  knex('identity.communication')
    .select('supportEmail', 'whatsappNumber')
    .then(([row]) => row)

export const writeCommunication = async (
  transaction: Knex.Transaction,
  { supportEmail, whatsappNumber }: Communication,
): Promise<Communication> => {
  const rows = () => transaction('identity.communication')
  const before = await rows().forUpdate().first('supportEmail', 'whatsappNumber')
  await rows().update({ supportEmail, whatsappNumber })
  return before
}
