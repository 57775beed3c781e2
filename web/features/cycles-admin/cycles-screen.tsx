import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart, usePreload } from '../../lib/lazy'
import { ActiveCycle } from './active-cycle'
import { cyclesQuery } from './api'
import { Closures } from './days/closures'
import { CycleHistory } from './history/cycle-history'

const CycleWizard = lazyPart(() => import('./wizard/cycle-wizard').then((m) => m.CycleWizard))

/** Order Cycles: the active one, a new one, and those that were. */
export const CyclesScreen = () => {
  const cycles = useQuery(cyclesQuery)
  const [creating, setCreating] = useState(false)
  usePreload(CycleWizard)
  const noneActive = cycles.data !== undefined && !cycles.data.some((cycle) => cycle.isActive)
  return (
    <div className="flex flex-col gap-5">
      <ActiveCycle cycles={cycles} onCreate={() => setCreating(true)} />
      {/* What stands below comes once it is known where that is. */}
      {cycles.data === undefined && cycles.error === null ? null : (
        <>
          <Closures />
          <CycleHistory mayReactivate={noneActive} years={yearsOf(cycles.data ?? [])} />
        </>
      )}
      <Suspense>{creating ? <CycleWizard onClose={() => setCreating(false)} /> : null}</Suspense>
    </div>
  )
}

/** The years in which cycles began, the latest first. */
const yearsOf = (cycles: readonly { startDate: string }[]): number[] =>
  [...new Set(cycles.map(({ startDate }) => Number(startDate.slice(0, 4))))].toSorted((a, b) => b - a)
