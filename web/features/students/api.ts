import { listStudents } from '#contracts/identity'
import { endpointQuery } from '../../lib/endpoint-query'

export const studentsQuery = endpointQuery('identity', listStudents, {})
