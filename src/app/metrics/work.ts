import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { Refusal } from '#kernel/refusal'
import type { JobWork } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'

const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

/** The worker's jobs, measured by name: how long each try takes and how it ends. */
export const measuredWorks = (works: readonly JobWork[], registry: Registry): JobWork[] => {
  const duration = new Histogram({
    name: 'tuckshop_job_duration_seconds',
    help: 'Duration of job tries in seconds; refused: the job had nothing more to do',
    labelNames: ['job_name', 'outcome'] as const,
    buckets,
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

/** The worker's sweeps, measured by name: how long each takes, how it ends, and when it last went well. */
export const measuredSweeps = (sweeps: readonly Sweep[], registry: Registry): Sweep[] => {
  const duration = new Histogram({
    name: 'tuckshop_sweep_duration_seconds',
    help: 'Duration of sweeps in seconds, by how they ended',
    labelNames: ['sweep', 'outcome'] as const,
    buckets,
    registers: [registry],
  })
  const wentWell = new Gauge({
    name: 'tuckshop_sweep_last_success_seconds',
    help: 'When the sweep last went well, in seconds since 1970; at first when the process started',
    labelNames: ['sweep'] as const,
    registers: [registry],
  })
  for (const { name } of sweeps) wentWell.setToCurrentTime({ sweep: name })
  return sweeps.map(({ name, run }) => ({
    name,
    run: async () => {
      const end = duration.startTimer({ sweep: name })
      await run().catch((error: unknown) => {
        end({ outcome: 'failed' })
        throw error
      })
      end({ outcome: 'done' })
      wentWell.setToCurrentTime({ sweep: name })
    },
  }))
}

/** Counts what the retention removes. */
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
