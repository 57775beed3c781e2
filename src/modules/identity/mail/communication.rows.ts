import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import type { getCommunication } from '#contracts/identity'

/** How people reach the school; empty where it has not said. */
export type Communication = ReplyOf<typeof getCommunication>

export const readCommunication = (knex: Knex): Promise<Communication> =>
  knex('identity.communication')
    .select('supportEmail', 'whatsappNumber')
    .then(([row]) => row)

export const writeCommunication = async (knex: Knex, settings: Communication): Promise<void> => {
  await knex('identity.communication').update({
    supportEmail: settings.supportEmail,
    whatsappNumber: settings.whatsappNumber,
  })
}
