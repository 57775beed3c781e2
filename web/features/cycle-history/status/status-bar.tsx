import { useState } from 'react'
import type { CycleOrder } from '#contracts/cycle-orders'
import { counted } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { IconButton } from '../../../ui/icon-button'
import { Select } from '../../../ui/select'
import { changeWords, settable, type Settable, touchedBy } from './change-words'
import { statusLabels } from '../order-words'

type StatusBarProps = {
  chosen: readonly CycleOrder[]
  /** How many of the chosen orders are on other pages. */
  elsewhere: number
  busy: boolean
  /** Settles once the change is made or refused. */
  onChange: (orders: readonly CycleOrder[], status: Settable) => Promise<void>
  onClear: () => void
}

/** The bar at the foot of the list: what is chosen, and the new status for it. */
export const StatusBar = ({ chosen, elsewhere, busy, onChange, onClear }: StatusBarProps) => {
  const [status, setStatus] = useState<Settable>('completed')
  const [asking, setAsking] = useState(false)
  const touched = touchedBy(chosen, status)
  const words = changeWords(chosen, status)
  const ask = () => (touched.length > 0 ? setAsking(true) : notifyNothingToDo(status))
  const confirm = async () => {
    await onChange(touched, status)
    setAsking(false)
  }
  return (
    <section
      aria-label="Selected orders"
      className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2.5 shadow-raised sm:px-4"
    >
      <p aria-live="polite" className="min-w-0 flex-1 text-sm whitespace-nowrap">
        <strong>{`${counted(chosen.length, 'order')} selected`}</strong>
        {elsewhere > 0 ? <span className="text-muted">{`, ${elsewhere} on other pages`}</span> : null}
      </p>
      <IconButton icon="close" label="Clear selection" disabled={busy} onClick={onClear} />
      <div className="flex gap-2 max-sm:basis-full">
        <Select
          label="New status"
          hideLabel
          className="max-sm:flex-1"
          value={status}
          options={settable.map((value) => ({ value, label: statusLabels[value] }))}
          onChange={(event) => setStatus(event.target.value as Settable)}
        />
        <Button className="whitespace-nowrap max-sm:px-2! max-sm:text-sm" busy={busy} onClick={ask}>
          Update Status
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={words.title}
        confirm={words.confirm}
        cancel="Go back"
        danger={status === 'cancelled'}
        busy={busy}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      >
        {words.effects.join(' ')}
      </ConfirmDialog>
    </section>
  )
}

const notifyNothingToDo = (status: Settable) =>
  adminToast({
    title: 'Error updating status',
    text: `None of the selected orders can become ${status}`,
    kind: 'error',
  })
