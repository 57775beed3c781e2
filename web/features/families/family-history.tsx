import { useState } from 'react'
import type { FamilyPage } from '#contracts/families'
import { kwacha } from '../../lib/format'
import { CollapsibleCard } from '../../ui/collapsible-card'

/** Everything that happened, the newest first, folded away. */
export const FamilyHistory = ({ history }: Pick<FamilyPage, 'history'>) => {
  const [open, setOpen] = useState(false)
  return (
    <CollapsibleCard
      title="Technical history"
      hint="Everything that happened, the newest first"
      icon="history"
      open={open}
      onToggle={() => setOpen(!open)}
    >
      {history.length === 0 ? (
        <p className="text-muted">Nothing happened yet.</p>
      ) : (
        <ol className="divide-y divide-line">
          {history.map((entry, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- two entries may be the same but for their place
            <li key={place} className="py-2.5">
              <div className="flex items-baseline justify-between gap-4">
                <p className="min-w-0 break-words">{entry.what}</p>
                {entry.amount === null ? null : <p className="money">{kwacha(entry.amount)}</p>}
              </div>
              <p className="text-sm text-muted">{`${entry.schoolTime} · ${entry.who}`}</p>
              {Object.entries(entry.details).map(([term, value]) => (
                <p key={term} className="text-sm break-words text-muted">{`${term}: ${value}`}</p>
              ))}
            </li>
          ))}
        </ol>
      )}
    </CollapsibleCard>
  )
}
