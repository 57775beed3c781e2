import { Counter, Histogram, type Registry, Gauge } from 'prom-client'
import { Refusal } from '#kernel/refusal'
import type { CardProvider } from '#modules/payments/index'
import {
  WrongExpectedRevision,
  type EventStore,
  type Position,
  type StreamAppend,
} from '#platform/event-store/event-store'
import type { JobWork } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'

const appendBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const measuredEventStore = (eventStore: EventStore, registry: Registry): EventStore => {
  const duration = new Histogram({
    name: 'tuckshop_append_duration_seconds',
    help: 'Duration of appends to the event store in seconds; conflict: somebody else was quicker',
    labelNames: ['outcome'] as const,
    buckets: appendBuckets,
    registers: [registry],
  })
  const events = new Counter({
    name: 'tuckshop_events_appended_total',
    help: 'Events appended by this process, by type',
    labelNames: ['type'] as const,
    registers: [registry],
  })
  const count = (appends: StreamAppend[]) => {
    for (const append of appends) for (const { type } of append.events) events.inc({ type })
  }
  return {
    ...eventStore,
    append: async (appends) => {
      const startedAt = performance.now()
      const observe = (outcome: 'done' | 'conflict' | 'failed') =>
        duration.observe({ outcome }, (performance.now() - startedAt) / 1000)
      try {
        const position = await eventStore.append(appends)
        observe('done')
        count(appends)
        return position
      } catch (error) {
        observe(error instanceof WrongExpectedRevision ? 'conflict' : 'failed')
        throw error
      }
    },
  }
}

export const measuredWait = (wait: (position: Position) => Promise<void>, registry: Registry) => {
  const duration = new Histogram({
    name: 'tuckshop_views_wait_seconds',
    help: 'How long a command waited until the read models showed its write; from 2 s it goes on without',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.99],
    registers: [registry],
  })
  return async (position: Position): Promise<void> => {
    const end = duration.startTimer()
    await wait(position).finally(end)
  }
}

type Answer = { kind: string }

export const measuredProvider = (provider: CardProvider, registry: Registry): CardProvider => {
  const duration = new Histogram({
    name: 'tuckshop_card_provider_duration_seconds',
    help: 'Duration of calls to the card provider in seconds, by the kind of answer; unavailable: not asked at all',
    labelNames: ['call', 'answer'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers: [registry],
  })
  const measured =
    <Args extends unknown[], Reply extends Answer>(call: string, ask: (...args: Args) => Promise<Reply>) =>
    async (...args: Args): Promise<Reply> => {
      const end = duration.startTimer({ call })
      const answer = await ask(...args)
      end({ answer: answer.kind })
      return answer
    }
  return {
    createToken: measured('create', provider.createToken),
    verify: measured('verify', provider.verify),
    cancel: measured('cancel', provider.cancel),
    mobileOptions: measured('mobile-options', provider.mobileOptions),
    sendPrompt: measured('prompt', provider.sendPrompt),
    refund: measured('refund', provider.refund),
    verifyRefund: measured('verify-refund', provider.verifyRefund),
    paymentPageUrl: provider.paymentPageUrl,
  }
}

const workBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

export const measuredWorks = (works: readonly JobWork[], registry: Registry): JobWork[] => {
  const duration = new Histogram({
    name: 'tuckshop_job_duration_seconds',
    help: 'Duration of job tries in seconds; refused: the job had nothing more to do',
    labelNames: ['job_name', 'outcome'] as const,
    buckets: workBuckets,
    registers: [registry],
  })
  return works.map(({ job, handle }) => ({
    job,
    handle: async (payload, about) => {
      const end = duration.startTimer({ job_name: job.name })
      await handle(payload, about).catch((error: unknown) => {
        end({ outcome: error instanceof Refusal ? 'refused' : 'failed' })
        throw error
      })
      end({ outcome: 'done' })
    },
  }))
}

export const measuredSweeps = (sweeps: readonly Sweep[], registry: Registry): Sweep[] => {
  const duration = new Histogram({
    name: 'tuckshop_sweep_duration_seconds',
    help: 'Duration of sweeps in seconds, by how they ended',
    labelNames: ['sweep', 'outcome'] as const,
    buckets: workBuckets,
    registers: [registry],
  })
  const lastSuccess = new Gauge({
    name: 'tuckshop_sweep_last_success_seconds',
    help: 'When the sweep last went well, in seconds since 1970; at first when the process started',
    labelNames: ['sweep'] as const,
    registers: [registry],
  })
  for (const { name } of sweeps) lastSuccess.setToCurrentTime({ sweep: name })
  return sweeps.map(({ name, run }) => ({
    name,
    run: async () => {
      const end = duration.startTimer({ sweep: name })
      await run().catch((error: unknown) => {
        end({ outcome: 'failed' })
        throw error
      })
      end({ outcome: 'done' })
      lastSuccess.setToCurrentTime({ sweep: name })
    },
  }))
}

export const removedRows = (registry: Registry, names: readonly string[]) => {
  const removed = new Counter({
    name: 'tuckshop_retention_removed_total',
    help: 'Old rows that this process removed, by kind',
    labelNames: ['retention'] as const,
    registers: [registry],
  })
  for (const retention of names) removed.inc({ retention }, 0)
  return (retention: string, rows: number): void => removed.inc({ retention }, rows)
}
