import { moneyFeatures, today } from '#contracts/find'
import type { FeatureName } from '#contracts/identity'
import { endpointQuery } from '../lib/endpoint-query'

type Holder = { isSuperadmin: boolean; allowedFeatures: readonly FeatureName[] }

export const hasToday = (user: Holder): boolean =>
  user.isSuperadmin || moneyFeatures.some((feature) => user.allowedFeatures.includes(feature))

const askEveryMs = 60_000

/** For whoever `hasToday`. Asked again while the page is visible, and after every act. */
export const todayQuery = {
  ...endpointQuery('today', today, {}),
  staleTime: askEveryMs,
  refetchInterval: askEveryMs,
}
