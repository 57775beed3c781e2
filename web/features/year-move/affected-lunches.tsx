import { counted, longDay } from '../../lib/format'
import type { AffectedLunch } from './api'

/** What the server names at most. */
const mostNamed = 500

/** Lunches to come that their child could not order again; nothing where there are none. */
export const AffectedLunches = ({ lunches }: { lunches: readonly AffectedLunch[] }) =>
  lunches.length === 0 ? null : (
    <section aria-label="Lunches that no longer fit" className="flex flex-col gap-2">
      <h3 className="font-semibold">
        {lunches.length < mostNamed
          ? `${counted(lunches.length, 'lunch', 'lunches')} to come ${lunches.length === 1 ? 'does' : 'do'} not fit the new grade`
          : `The next ${mostNamed} lunches that do not fit the new grade`}
      </h3>
      <p className="text-sm text-muted">
        They are of the menu for other grades, or of children who leave. They stay ordered and are cooked as
        they are; the family or the office can change or cancel them.
      </p>
      <ul className="divide-y divide-line rounded-md border border-line">
        {lunches.map(({ orderId, date, student, menuItem }) => (
          <li key={orderId} className="grid gap-x-4 px-3 py-2 text-sm sm:grid-cols-3">
            <span>{longDay(date)}</span>
            <span className="font-semibold wrap-anywhere">{student}</span>
            <span className="wrap-anywhere">{menuItem}</span>
          </li>
        ))}
      </ul>
    </section>
  )
