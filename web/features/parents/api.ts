import { payOutCredit } from '#contracts/approvals'
import { getParentCredit, giveCredit } from '#contracts/credit'
import type { QueryOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { createParent, deleteAnyStudent, deleteParent, listParents, updateParent } from '#contracts/parents'
import { endpointMutation, endpointQuery, listQuery } from '../../lib/endpoint-query'

export const parentsQuery = (query: QueryOf<typeof listParents>) =>
  listQuery('identity', listParents, { query })

const touched = ['identity', 'ordering', 'refunds'] as const

export const addParent = endpointMutation(createParent, ...touched)
export const changeParent = endpointMutation(updateParent, ...touched)
export const addChild = endpointMutation(addStudent, ...touched)
export const removeParent = endpointMutation(deleteParent, ...touched)
export const removeStudent = endpointMutation(deleteAnyStudent, ...touched)

/** A family's credit with its entries, read anew whenever it is opened. */
export const creditQuery = (id: number) => ({
  ...endpointQuery('refunds', getParentCredit, { params: { id } }),
  staleTime: 0,
})
export const give = endpointMutation(giveCredit, 'refunds')
export const payOut = endpointMutation(payOutCredit, 'refunds')
