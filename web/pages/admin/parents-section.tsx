import { sectionsOf } from '../../features/admin-shell/sections'
import { WaitingPayouts } from '../../features/approvals/waiting-payouts'
import { Parents } from '../../features/parents/parents'
import { useUser } from '../../features/session/current-user'

const waitingPayouts = (parentId: number) => <WaitingPayouts parentId={parentId} />

/** Parents & Students, with the credit of a family for who manages refunds. */
export const ParentsSection = () => (
  <Parents
    maySeeCredit={sectionsOf(useUser()).some(({ key }) => key === 'refunds')}
    waitingPayouts={waitingPayouts}
  />
)
