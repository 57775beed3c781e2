import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  withdrawInvite,
} from '#contracts/accounts'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

export const guardiansQuery = (id: number) => endpointQuery('identity', listGuardians, { params: { id } })

export const inviteQuery = (token: string) =>
  endpointQuery('identity', getGuardianInvite, { params: { token } })

export const invite = endpointMutation(inviteGuardian, 'identity')
export const withdraw = endpointMutation(withdrawInvite, 'identity')
/** A removed guardian loses the child and its orders. */
export const remove = endpointMutation(removeGuardian, 'identity', 'ordering')
export const accept = endpointMutation(acceptGuardianInvite, 'identity', 'ordering')
