import { useState } from 'react'
import type { CycleOrder } from '#contracts/cycle-orders'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { CancelDialog } from './cancel-dialog'
import { SubstituteDialog } from './substitute-dialog'
import type { LeftOrder } from './act-words'

type OrderActsProps = {
  chosen: readonly CycleOrder[]
  busy: boolean
  /** After the act, with the orders that it did not reach. */
  onActed: (orders: readonly CycleOrder[], left: readonly LeftOrder[]) => void
}

const acts = {
  cancel: {
    label: 'Cancel with Reason',
    none: 'None of the selected orders can be cancelled',
    isFor: ({ allowed }: CycleOrder) => allowed.cancelled,
    Dialog: CancelDialog,
  },
  substitute: {
    label: 'Give Another Meal',
    none: 'Only pending orders can be given another meal',
    isFor: ({ status }: CycleOrder) => status === 'pending',
    Dialog: SubstituteDialog,
  },
} as const

/** What can be done to many orders in one act that the families are told of: cancelled, or given another meal. */
export const OrderActs = ({ chosen, busy, onActed }: OrderActsProps) => {
  const [open, setOpen] = useState<keyof typeof acts | null>(null)
  const touched = open === null ? [] : chosen.filter(acts[open].isFor)
  const Dialog = open === null ? null : acts[open].Dialog
  const ask = (act: keyof typeof acts) =>
    chosen.some(acts[act].isFor)
      ? setOpen(act)
      : adminToast({ title: 'Error', text: acts[act].none, kind: 'error' })
  return (
    <div className="flex gap-2 max-sm:basis-full">
      {(['cancel', 'substitute'] as const).map((act) => (
        <Button
          key={act}
          size="sm"
          variant="secondary"
          className="max-sm:flex-1 max-sm:px-1!"
          disabled={busy}
          onClick={() => ask(act)}
        >
          {acts[act].label}
        </Button>
      ))}
      {Dialog ? (
        <Dialog
          orders={touched}
          others={chosen.length - touched.length}
          onActed={(left) => onActed(touched, left)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  )
}
