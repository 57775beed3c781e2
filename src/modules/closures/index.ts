import type { Module } from '#platform/module'
import { carryOutSweep, closureWorks } from './carry-out-closure.commands'
import type { ClosuresNeeds } from './closed-orders.rows'
import { closureCommands } from './closures.commands'
import { closureRoutes } from './closures.routes'
import { closureReasons, forgetInClosures } from './closures.rows'
import { closuresStatuses } from './refusals'

export const closuresModule = (needs: ClosuresNeeds) => {
  const module: Module = {
    name: 'closures',
    routes: closureRoutes(closureCommands(needs), needs),
    views: [],
    reactors: [],
    jobs: closureWorks(needs),
    sweeps: [carryOutSweep(needs)],
    forgetWords: forgetInClosures,
    refusals: closuresStatuses,
  }
  return {
    ...module,
    closureReasons: (ids: readonly string[]): Promise<Map<string, string>> =>
      closureReasons(needs.database.knex, ids),
  }
}
