import { useMutation } from '@tanstack/react-query'
import { longDay } from '../../../lib/format'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { closing } from './api'

/** Asks before a day is closed. */
export const CloseDay = ({ date, onClose }: { date: string; onClose: () => void }) => {
  const closes = useMutation(closing)
  const confirm = async () => {
    await notifyOutcome(closes.mutateAsync({ body: { date } }), {
      done: 'The day is closed',
      failed: 'Failed to close the day',
    })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      title={`Close ${longDay(date)}?`}
      confirm="Close the day"
      busy={closes.isPending}
      busyLabel="Closing"
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      Its figures are kept as they are now, under your name, and the day is not opened again. What is booked
      later stands in the day on which it is booked.
    </ConfirmDialog>
  )
}
