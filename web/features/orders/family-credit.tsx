import { useQuery } from '@tanstack/react-query'
import { kwacha, longDate } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { Card, CardHeading } from '../../ui/card'
import { creditQuery } from './family-money'

/** What the family may spend, what open payments hold beside it, and how it came to that; nothing while it has none. */
export const FamilyCredit = () => {
  const { data: credit } = useQuery(creditQuery)
  if (!credit || (credit.balance === 0 && credit.held === 0)) return null
  return (
    <Card className="overflow-hidden">
      <CardHeading
        title="Your credit"
        hint="It pays for your next orders."
        actions={<p className="money text-base font-semibold">{kwacha(credit.balance)}</p>}
      />
      {credit.held > 0 ? (
        <p className="px-4 pt-2 text-sm sm:px-6">{`${kwacha(credit.held)} is held by a payment under way`}</p>
      ) : null}
      <ul aria-label="Changes of your credit" className="mt-3 border-t border-line text-sm">
        {credit.entries.map((entry, place) => (
          <li
            key={place}
            className="flex justify-between gap-3 border-b border-line px-4 py-2 last:border-0 sm:px-6"
          >
            <span className="min-w-0 wrap-anywhere">
              {entry.text}
              <time dateTime={entry.at} className="block text-xs text-muted">
                {longDate(schoolDate(entry.at))}
              </time>
            </span>
            <span className="money whitespace-nowrap">
              {entry.amount < 0 ? `−${kwacha(-entry.amount)}` : `+${kwacha(entry.amount)}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
