import { getCutoff, saveCutoff } from '#contracts/cycles'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering-rules'
import {
  foundAllergens,
  getAllergens,
  getAllergyRule,
  saveAllergens,
  saveAllergyRule,
} from '#contracts/health'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened: another administrator may have changed it. */
export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: 0 }

export const saveCutoffTime = endpointMutation(saveCutoff, 'cycles')

export const rulesQuery = { ...endpointQuery('ordering', getOrderingRules, {}), staleTime: 0 }

export const saveRules = endpointMutation(saveOrderingRules, 'ordering', 'catalogue', 'cycles')

export const allergyRuleQuery = { ...endpointQuery('identity', getAllergyRule, {}), staleTime: 0 }
export const allergensQuery = { ...endpointQuery('identity', getAllergens, {}), staleTime: 0 }
/** Words of menu items that came onto the list since it was last saved. */
export const foundQuery = { ...endpointQuery('identity', foundAllergens, {}), staleTime: 0 }

export const saveRule = endpointMutation(saveAllergyRule, 'identity', 'ordering')
export const saveList = endpointMutation(saveAllergens, 'identity')
