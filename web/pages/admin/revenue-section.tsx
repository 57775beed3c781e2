import { Suspense } from 'react'
import { RevenueStats } from '../../features/revenue/revenue-stats'
import { lazyComponent } from '../../lib/lazy'

const SponsoredLunches = lazyComponent(() =>
  import('../../features/sponsored/sponsored-report').then((m) => m.SponsoredLunches),
)

export const RevenueSection = () => (
  <div className="flex flex-col gap-5">
    <RevenueStats />
    <Suspense>
      <SponsoredLunches />
    </Suspense>
  </div>
)
