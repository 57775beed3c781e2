import { after } from '../../ordering/lunches'
import type { Scene } from './scene'
import type { ServiceProcess } from './process'

// Past the lease, the first checks, the time limit and its grace, the check half an hour later, the one a day later.
const minutesToPass = [0, 1, 3, 40, 40, 25 * 60, 10]
const maxRounds = 12

/**
 * Sweeps and jobs until nothing changes, then again as time passes, until nothing is due any more. Answers the faults
 * of the last round: what still fails then fails for ever. `onQuiet` looks around before much time has passed.
 */
export const drainQueues = async (
  { clock, worker, rowsNow, repeatPayouts }: Scene,
  process: ServiceProcess,
  onQuiet: () => Promise<void>,
): Promise<unknown[]> => {
  const round = async () => {
    const faults = await worker.run(process)
    for (const { run } of process.sweeps) await run().catch((fault: unknown) => faults.push(fault))
    return faults
  }
  await repeatPayouts(process)
  let faults: unknown[] = []
  for (const [step, minutes] of minutesToPass.entries()) {
    clock.now = after(clock.now, minutes)
    let before = ''
    for (let rounds = 0; rounds < maxRounds; rounds += 1) {
      faults = await round()
      const now = JSON.stringify(await rowsNow())
      if (now === before) break
      before = now
    }
    if (step === 2) await onQuiet()
  }
  return faults
}
