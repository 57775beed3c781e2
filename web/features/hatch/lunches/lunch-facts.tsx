import type { ServedLunch } from '#contracts/serving'
import { dietWords } from '../../../lib/diet-words'
import { capitalised } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Icon } from '../../../ui/icon'

/** What is handed out and to whom, with everything that must be known before it is. */
export const LunchFacts = ({ lunch }: { lunch: ServedLunch }) => (
  <div className="flex min-w-0 flex-col gap-1">
    <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-lg font-bold break-words">
      {lunch.student}
      {lunch.absent ? (
        <Badge tone="danger" icon="alert">
          Ill today
        </Badge>
      ) : null}
      {lunch.unpaid ? (
        <Badge tone="warning" icon="wallet">
          Unpaid
        </Badge>
      ) : null}
    </h3>
    <p className="font-semibold break-words">
      {[lunch.menuItem, lunch.category && capitalised(lunch.category), lunch.sideDish]
        .filter(Boolean)
        .join(' · ')}
    </p>
    {lunch.comments ? (
      <p className="border-l-3 border-accent-300 bg-accent-50 px-2 break-words">{lunch.comments}</p>
    ) : null}
    <Allergies of={lunch} />
    {lunch.diet === 'none' ? null : <p className="font-bold">{`Diet: ${dietWords[lunch.diet]}`}</p>}
    {lunch.medicalNote ? (
      <p className="flex items-start gap-2 font-semibold break-words text-danger-700">
        <Icon name="alert" className="mt-0.5" />
        <span className="min-w-0">{`Medical note: ${lunch.medicalNote}`}</span>
      </p>
    ) : null}
  </div>
)

/** Large and red where there are any; that nobody has said is not that there are none. */
const Allergies = ({ of: { allergies } }: { of: Pick<ServedLunch, 'allergies'> }) => {
  if (allergies === null) return <p className="text-sm text-warning-700">Allergies not declared</p>
  if (allergies.length === 0) return <p className="text-sm text-muted">No allergies</p>
  return (
    <p className="flex items-start gap-2 self-start rounded-md bg-danger-700 px-2 py-1 text-lg font-bold text-white">
      <Icon name="alert" className="mt-0.5" />
      <span className="min-w-0 break-words">{`Allergies: ${allergies.join(', ')}`}</span>
    </p>
  )
}
