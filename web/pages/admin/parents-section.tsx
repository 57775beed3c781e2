import { sectionsOf } from '../../features/admin-shell/sections'
import { Parents } from '../../features/parents/parents'
import { useUser } from '../../features/session/current-user'

/** Parents & Students, with the credit of a family for who manages refunds. */
export const ParentsSection = () => (
  <Parents maySeeCredit={sectionsOf(useUser()).some(({ key }) => key === 'refunds')} />
)
