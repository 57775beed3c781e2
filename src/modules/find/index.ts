import type { Module } from '#platform/module'
import { findRoutes } from './find.routes'
import type { FindNeeds } from './needs'
import { findStatuses } from './refusals'

export const findModule = (needs: FindNeeds): Module => ({
  name: 'find',
  routes: findRoutes(needs),
  views: [],
  reactors: [],
  jobs: [],
  sweeps: [],
  refusals: findStatuses,
})
