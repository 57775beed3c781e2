import { getAllergens, getHealth, saveHealth } from '#contracts/health'
import { mealMarks } from '#contracts/meal-marks'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened; forgotten once nothing shows it. */
export const healthQuery = (id: number) => ({
  ...endpointQuery('identity', getHealth, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
})

/** What was said of everybody whom this user orders for, as of not long ago. */
export const mealMarksQuery = { ...endpointQuery('identity', mealMarks, {}), staleTime: 30_000 }

export const allergensQuery = endpointQuery('identity', getAllergens, {})

export const saveHealthOf = endpointMutation(saveHealth, 'identity', 'ordering')
