import type { Module } from '#platform/module'
import { dailyReport } from './daily-report.job'
import { familyDataRoute } from './family-data.routes'
import { findStatuses, type FindNeeds } from './family.commands'
import { findRoutes } from './find.routes'
import { headReport } from './head-report.job'
import { todayRoutes } from './today.routes'

export const findModule = (needs: FindNeeds): Module => ({
  name: 'find',
  routes: [...findRoutes(needs), ...todayRoutes(needs), familyDataRoute(needs)],
  views: [],
  reactors: [],
  jobs: [],
  sweeps: [dailyReport(needs), headReport(needs)],
  refusals: findStatuses,
})
