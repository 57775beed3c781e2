import type { School } from './school'

const names = [
  'answer-card-pushes',
  'check-card-payments',
  'give-up-card-drafts',
  'end-lost-recoveries',
  'settle-card-payments',
  'acknowledge-card-payments',
]

/** Runs all sweeps that look after card payments, one after another, whichever fails, until the views show it; answers what failed. */
export const sweepCardPayments = async ({
  modules,
  viewsShowAll,
}: Pick<School, 'modules' | 'viewsShowAll'>): Promise<unknown[]> => {
  const sweeps = modules.flatMap((module) => module.sweeps).filter(({ name }) => names.includes(name))
  expect(sweeps).toHaveLength(names.length)
  const faults: unknown[] = []
  for (const { run } of sweeps) await run().catch((fault: unknown) => faults.push(fault))
  await viewsShowAll()
  return faults
}
