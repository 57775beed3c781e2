import { counted } from '../../lib/format'
import { AffectedLunches } from './affected-lunches'
import type { UndoneMove, YearMove } from './api'

/** That it is done, and what somebody has to look at now. */
export const AppliedMove = ({ move }: { move: YearMove }) => (
  <div className="flex flex-col gap-4">
    <p className="text-lg font-semibold">
      {`Done: ${counted(move.students, 'child is', 'children are')} one grade up, ${move.leaving} left.`}
    </p>
    <AffectedLunches lunches={move.affectedOrders} />
  </div>
)

/** What came back, and who stays as somebody has edited them since. */
export const UndoneMoveWords = ({ undone }: { undone: UndoneMove }) => (
  <div className="flex flex-col gap-4">
    <p className="text-lg font-semibold">
      {`Undone: ${counted(undone.students, 'child is', 'children are')} as before the year move.`}
    </p>
    {undone.kept.length > 0 ? (
      <section aria-label="Children that stay as they are" className="flex flex-col gap-2">
        <h3 className="font-semibold">
          {`${counted(undone.kept.length, 'child was', 'children were')} edited since and ${undone.kept.length === 1 ? 'stays' : 'stay'} so`}
        </h3>
        <ul className="divide-y divide-line rounded-md border border-line">
          {undone.kept.map(({ id, student }) => (
            <li key={id} className="px-3 py-2 text-sm font-semibold wrap-anywhere">
              {student}
            </li>
          ))}
        </ul>
      </section>
    ) : null}
    <AffectedLunches lunches={undone.affectedOrders} />
  </div>
)
