import type { QueryOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { createParent, deleteAnyStudent, deleteParent, listParents, updateParent } from '#contracts/parents'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'

export const parentsQuery = (query: QueryOf<typeof listParents>) =>
  listQuery('identity', listParents, { query })

const touched = ['identity', 'ordering', 'refunds'] as const

export const addParent = endpointMutation(createParent, ...touched)
export const changeParent = endpointMutation(updateParent, ...touched)
export const addChild = endpointMutation(addStudent, ...touched)
export const removeParent = endpointMutation(deleteParent, ...touched)
export const removeStudent = endpointMutation(deleteAnyStudent, ...touched)
