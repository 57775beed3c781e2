import { familyMealMarks, getAllergens, mealMarks } from '#contracts/health'
import { getCommunication, listClasses, listStudents } from '#contracts/identity'
import { getPrivacy } from '#contracts/privacy'
import { endpointQuery } from '../lib/endpoint-query'

/** Whom this user orders for. */
export const studentsQuery = endpointQuery('identity', listStudents, {})

/** May be 30 s old. */
export const mealMarksQuery = { ...endpointQuery('identity', mealMarks, {}), staleTime: 30_000 }

/** Of a family, for the office; each read is in the history. */
export const familyMealMarksQuery = (id: number) => ({
  ...endpointQuery('identity', familyMealMarks, { params: { id } }),
  staleTime: 30_000,
})

/** Classes of the school, for whoever closes days or reads the history. */
export const classesQuery = endpointQuery('identity', listClasses, {})

export const allergensQuery = endpointQuery('identity', getAllergens, {})

/** Public. */
export const privacyQuery = { ...endpointQuery('identity', getPrivacy, {}), staleTime: 60_000 }

export const communicationQuery = endpointQuery('identity', getCommunication, {})
