import type { Module } from '#platform/module'
import { dailyReport } from './daily-report.job'
import { familyDataRoute } from './family-data.routes'
import { findStatuses, type FindNeeds } from './family.commands'
import { findRoutes } from './find.routes'
import { todayRoutes } from './today.routes'

export const findModule = (needs: FindNeeds): Module => ({
  name: 'find',
  routes: [...findRoutes(needs), ...todayRoutes(needs), familyDataRoute(needs)],
  views: [],
  reactors: [],
  jobs: [],
  sweeps: [dailyReport(needs)],
  refusals: findStatuses,
})
