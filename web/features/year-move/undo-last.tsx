import { useState } from 'react'
import { counted, longDate } from '../../lib/format'
import { notifyFailure } from '../../lib/notify-outcome'
import { dateAndTime, schoolDate } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import type { LastMove, useUndoing } from './api'

type UndoLastProps = {
  last: LastMove
  undoing: ReturnType<typeof useUndoing>
  onUndone: () => void
}

/** The year move that still can be undone, and the way back. */
export const UndoLast = ({ last, undoing, onUndone }: UndoLastProps) => {
  const [asked, setAsked] = useState(false)
  const undo = () =>
    undoing.mutate(
      { params: { id: last.id } },
      {
        onSuccess: onUndone,
        onError: (error) => notifyFailure(error, 'Failed to undo the year move'),
        onSettled: () => setAsked(false),
      },
    )
  return (
    <>
      <Notice title={`The school was moved up on ${longDate(schoolDate(last.appliedAt))}`}>
        <p>
          {`${counted(last.students, 'child', 'children')} went one grade up and ${last.leaving} left. It can be undone until ${dateAndTime(last.undoUntil)}.`}
        </p>
        <Button variant="secondary" onClick={() => setAsked(true)}>
          Undo the Year Move
        </Button>
      </Notice>
      <ConfirmDialog
        open={asked}
        title="Undo the year move?"
        confirm="Yes, Undo"
        danger
        busy={undoing.isPending}
        busyLabel="Undoing..."
        onConfirm={undo}
        onClose={() => setAsked(false)}
      >
        Every child gets the grade and the class it had, and those who left are at the school again. Children
        that were edited since stay as they are, and so do all orders.
      </ConfirmDialog>
    </>
  )
}
