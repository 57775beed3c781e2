import type { Student } from '#contracts/identity'
import { sectionsOf } from '../../features/admin-shell/sections'
import { WaitingPayouts } from '../../features/approvals/waiting-payouts'
import { HealthButton } from '../../features/health/child-health'
import { Parents } from '../../features/parents/parents'
import { useUser } from '../../features/session/current-user'

const health = (student: Student) => <HealthButton student={student} />

const waitingPayouts = (parentId: number) => <WaitingPayouts parentId={parentId} />

/** Parents & Students, with the credit of a family for who manages refunds. */
export const ParentsSection = () => (
  <Parents
    maySeeCredit={sectionsOf(useUser()).some(({ key }) => key === 'refunds')}
    waitingPayouts={waitingPayouts}
    health={health}
  />
)
