import { settlePayments } from '#modules/payments/settlement/settle-card-payments.job'
import { settleCredit } from '#modules/refunds/settle-credit.reactor'
import { recordRefunds, settleRefunds } from '#modules/refunds/settle-refund.reactor'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'
import { standIn } from '../../support/stand-ins'
import type { ServiceProcess } from './process'
import { eventsAfter } from './tables'

/** A queue that survives every process: what was not done stays, what is done is not done again by the same id. */
export const patientWorker = (store: Pick<EventStore, 'subscribe' | 'end'>, start: Position) => {
  const waiting = new Map<string, { name: string; payload: unknown }>()
  const known = new Set<string>()
  const enqueue: JobQueue['enqueue'] = async ({ name }, payload, { id }) => {
    // Jobs of two names may have one id, as in the service's own queue.
    const key = `${name}/${id}`
    if (known.has(key)) return
    known.add(key)
    waiting.set(key, { name, payload })
  }
  const queue = { enqueue }
  const reactors = [
    settlePayments(standIn({ queue })).reactor,
    recordRefunds(standIn({ queue })).reactor,
    settleRefunds(standIn({ queue })).reactor,
    settleCredit(standIn({ queue })).reactor,
  ]
  let heard = start

  const hear = async () => {
    for (const event of await eventsAfter(store, heard)) {
      for (const { types, react } of reactors) if (types.includes(event.type)) await react(event)
      if (event.position > heard) heard = event.position
    }
  }

  return {
    /** Does what waits, once each; what fails waits on. Answers the faults. */
    run: async ({ works, isDead }: ServiceProcess): Promise<unknown[]> => {
      await hear()
      const faults: unknown[] = []
      for (const [key, { name, payload }] of waiting) {
        const work = works.find(({ job }) => job.name === name)
        if (!work) throw new Error(`Nobody does ${name}`)
        try {
          await work.handle(payload, { jobId: key, attempt: 1 })
          if (!isDead()) waiting.delete(key)
        } catch (fault) {
          faults.push(fault)
        }
      }
      return faults
    },
  }
}
