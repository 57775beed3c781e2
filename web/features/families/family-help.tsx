import { Link } from 'react-router-dom'
import type { FamilyHelp } from '#contracts/families'
import type { FeatureName, User } from '#contracts/identity'
import { consolePaths } from '../../lib/console-paths'

type Way = { label: string; section: FeatureName; filter: string }

/** Where each help is given: the first section of these that somebody holds. */
const ways: Record<FamilyHelp['what'], readonly Way[]> = {
  verify: [{ label: 'Verify the payment', section: 'pending_payments', filter: 'text' }],
  judge: [{ label: 'Decide about the payment', section: 'order_recovery', filter: 'text' }],
  retry: [{ label: 'Make the missing meals', section: 'order_recovery', filter: 'text' }],
  refund: [{ label: 'Pay the money back', section: 'refunds', filter: 'text' }],
  ask: [
    { label: 'Ask the card provider', section: 'live_orders', filter: 'transactionId' },
    { label: 'Ask the card provider', section: 'order_recovery', filter: 'text' },
  ],
}

/** The one thing that helps now, as a way to the section where it is done; for who may not, what another has to do. */
export const FamilyHelpLink = ({ help, user }: { help: FamilyHelp; user: User }) => {
  const way = ways[help.what].find(({ section }) => user.allowedFeatures.includes(section))
  if (!way)
    return <p className="text-sm text-muted">{`${ways[help.what][0]!.label}: ask another administrator`}</p>
  return (
    <Link
      to={consolePaths.sectionWith(way.section, { [way.filter]: help.about })}
      className="btn btn-primary btn-md"
    >
      {way.label}
    </Link>
  )
}
