import { eventually } from '../support/eventually'
import type { Canteen } from './canteen'

/**
 * A canteen on which no worker runs (`ROLE: 'web'`): money goes back and mails are sent when a test sweeps, by the
 * product's own sweeps and jobs, and not before. A sweep leaves the letters of the last ten seconds to the worker
 * (`passMinute`).
 */
export const withoutWorker = <Opened extends Canteen>(canteen: Opened): Opened => {
  const jobs = new Map(
    canteen.modules.flatMap((module) => module.jobs).map(({ job, handle }) => [job.name, handle]),
  )
  const unsent = async (channel: 'mail' | 'sms') =>
    (
      await canteen.infrastructure.database.pool.query<{ id: string }>(
        `select id from messaging.mail_outbox
         where channel = $1 and "sentAt" is null and "givenUpAt" is null order by id`,
        [channel],
      )
    ).rows.map(({ id }) => id)
  const about = { jobId: 'by-hand', attempt: 1 }
  const sweep = async () => {
    await canteen.sweep()
    await jobs.get('send-mail')!({ mailIds: await unsent('mail') }, about)
    for (const smsId of await unsent('sms')) await jobs.get('send-sms')!({ smsId }, about)
  }
  const sweepUntil: Canteen['sweepUntil'] = (look) =>
    eventually(async () => {
      await sweep()
      return look()
    })
  return { ...canteen, sweep, sweepUntil }
}
