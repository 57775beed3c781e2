import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  waitingInvites,
  withdrawInvite,
} from '#contracts/accounts'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

export const guardiansQuery = (id: number) => endpointQuery('identity', listGuardians, { params: { id } })

export const inviteQuery = (idOrCode: string) =>
  endpointQuery('identity', getGuardianInvite, { params: { idOrCode } })

export const waitingQuery = endpointQuery('identity', waitingInvites, {})

export const invite = endpointMutation(inviteGuardian, 'identity')
export const withdraw = endpointMutation(withdrawInvite, 'identity')
/** A removed guardian loses the child and its orders. */
export const remove = endpointMutation(removeGuardian, 'identity', 'ordering')
export const accept = endpointMutation(acceptGuardianInvite, 'identity', 'ordering')
