import { getAllergens, mealMarks } from '#contracts/health'
import { getCommunication, listStudents } from '#contracts/identity'
import { endpointQuery } from '../lib/endpoint-query'

/** Whom this user orders for. */
export const studentsQuery = endpointQuery('identity', listStudents, {})

/** What the children of this family must not eat, and the school's rule, as of not long ago. */
export const mealMarksQuery = { ...endpointQuery('identity', mealMarks, {}), staleTime: 30_000 }

/** The school's list. */
export const allergensQuery = endpointQuery('identity', getAllergens, {})

/** How the school is reached. */
export const communicationQuery = endpointQuery('identity', getCommunication, {})
