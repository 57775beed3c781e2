import { Link, useParams } from 'react-router-dom'
import { NoSection } from '../../features/admin-shell/no-section'
import { useUser } from '../../features/session/current-user'
import { StatementPaper } from '../../features/statement-of-account/statement-paper'
import { paths } from '../../lib/paths'
import { AdminFrame } from './admin-frame'

const features = ['refunds', 'live_orders', 'pending_payments'] as const

/** One family's statement of account, for the office. */
export const FamilyAccountPage = () => {
  const { allowedFeatures } = useUser()
  const id = Number(useParams().id)
  return (
    <AdminFrame title="Statement of account" section={null}>
      {features.some((feature) => allowedFeatures.includes(feature)) ? (
        <div className="flex flex-col gap-3">
          <Link
            to={paths.family(id)}
            className="inline-flex min-h-11 items-center self-start font-semibold text-brand-700 underline print:hidden"
          >
            Back to the family
          </Link>
          <StatementPaper parentId={id} />
        </div>
      ) : (
        <NoSection title="Statements of account are not open to you">
          Your account has none of the sections that show them. Another administrator can give you one.
        </NoSection>
      )}
    </AdminFrame>
  )
}
