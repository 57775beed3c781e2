import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PendingGroup } from '#contracts/pending-payments'
import { counted } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { notifyOutcome } from '../../lib/notify-outcome'
import { verifyOrders } from './api'
import { PendingGroupCard } from './pending-group-card'
import { SelectBox } from './select-box'
import { orderIdsOf, selectedIn, type Selection, switched, total } from './selection'
import { VerifyBar } from './verify-bar'

/** The groups of a page, chosen one by one, by parent or all together, and marked paid. */
export const PendingList = ({ groups }: { groups: PendingGroup[] }) => {
  const [selection, setSelection] = useState<Selection>(new Set())
  const verifying = useMutation(verifyOrders)
  const chosen = selectedIn(groups, selection)
  const ids = orderIdsOf(groups)
  const onSwitch = (of: string[]) => setSelection(switched(selection, of))
  const verify = async () => {
    if (chosen.length === 0) return notifyNothingSelected()
    const result = await notifyOutcome(verifying.mutateAsync(chosen.map(({ id }) => id)), {
      done: ({ updated }) => ({
        title: 'Payments Verified',
        text: `${counted(updated, 'order')} marked paid`,
      }),
      failed: 'Failed to verify payments',
    })
    if (result) setSelection(new Set())
  }
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
        busy={verifying.isPending}
        onVerify={() => void verify()}
      />
    </>
  )
}

const notifyNothingSelected = () =>
  adminToast({ title: 'No Orders Selected', text: 'Please select orders to verify', kind: 'error' })
