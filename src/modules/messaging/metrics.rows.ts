import type { Ports } from '#platform/ports'
import type { Measure } from '#platform/module'
import { dayMs } from '#platform/retention'

export const mailMeasures = ({ database: { knex }, now }: Ports): Measure[] => {
  const outbox = (channel: 'mail' | 'sms') => knex('identity.mail_outbox').where({ channel })
  const waiting = () => outbox('mail').whereNull('sentAt').whereNull('givenUpAt')
  const givenUp = async (channel: 'mail' | 'sms') => {
    const yesterday = new Date(now().getTime() - dayMs)
    const row = await outbox(channel).where('givenUpAt', '>', yesterday).count({ count: '*' }).first()
    return Number(row?.count)
  }
  return [
    {
      name: 'tuckshop_mails_waiting',
      help: 'Mails that are written and not sent yet',
      value: async () => Number((await waiting().count({ count: '*' }).first())?.count),
    },
    {
      name: 'tuckshop_mails_oldest_waiting_seconds',
      help: 'Age of the oldest mail that is not sent yet, 0 without one; of those to unverified addresses what waits for its day is left out',
      value: async () => {
        const oldest = await waiting().where({ held: false }).min({ since: 'createdAt' }).first()
        return oldest?.since ? Math.max(0, (now().getTime() - oldest.since.getTime()) / 1000) : 0
      },
    },
    {
      name: 'tuckshop_mails_given_up',
      help: 'Mails that were given up within the last 24 hours',
      value: () => givenUp('mail'),
    },
    {
      name: 'tuckshop_sms_given_up',
      help: 'SMS of the last 24 hours that were given up, or of which nobody knows whether they were sent',
      value: () => givenUp('sms'),
    },
  ]
}
