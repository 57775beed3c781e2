import { useState } from 'react'
import type { PendingGroup } from '#contracts/pending-payments'
import { counted, kwacha } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { PendingGroupCard } from './pending-group-card'
import { SelectBox } from './select-box'
import { orderIdsOf, selectedIn, type Selection, switched, total } from './selection'
import { Button } from '../../ui/button'
import { VerifyDialog } from './verify-dialog'

type PendingListProps = { groups: PendingGroup[]; onVerified: (orders: PendingGroup['orders']) => void }

/** The groups of a page, chosen one by one, by parent or all together, and marked paid. */
export const PendingList = ({ groups, onVerified }: PendingListProps) => {
  const [selection, setSelection] = useState<Selection>(new Set())
  const [asked, setAsked] = useState<PendingGroup['orders'] | null>(null)
  const chosen = selectedIn(groups, selection)
  const ids = orderIdsOf(groups)
  const onSwitch = (of: string[]) => setSelection(switched(selection, of))
  return (
    <>
      <SelectBox
        label={chosen.length === ids.length ? 'Deselect all' : 'Select all'}
        ids={ids}
        chosen={chosen.length}
        onSwitch={() => onSwitch(ids)}
      />
      <ul className="flex flex-col gap-3">
        {groups.map((group) => (
          <PendingGroupCard key={group.parentId} group={group} selection={selection} onSwitch={onSwitch} />
        ))}
      </ul>
      <VerifyBar
        count={chosen.length}
        amount={total(chosen)}
        onVerify={() => (chosen.length === 0 ? notifyNothingSelected() : setAsked(chosen))}
      />
      {asked ? (
        <VerifyDialog
          orders={asked}
          onVerified={() => {
            onVerified(asked)
            setSelection(new Set())
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  )
}

const notifyNothingSelected = () =>
  adminToast({ title: 'No Orders Selected', text: 'Please select orders to verify', kind: 'error' })

type VerifyBarProps = { count: number; amount: number; onVerify: () => void }

/** The bar at the foot of the list: how much is chosen, and the button that marks it paid. */
const VerifyBar = ({ count, amount, onVerify }: VerifyBarProps) => (
  <div className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-3 shadow-raised sm:px-4">
    <p aria-live="polite" className="min-w-0 flex-1 text-sm whitespace-nowrap">
      {count === 0 ? (
        <span className="text-muted">Nothing selected</span>
      ) : (
        <strong className="money">{`${counted(count, 'order')}, ${kwacha(amount)}`}</strong>
      )}
    </p>
    <Button icon="check" className="max-sm:w-full max-sm:px-2! max-sm:text-sm" onClick={onVerify}>
      Verify Selected Payments
    </Button>
  </div>
)
