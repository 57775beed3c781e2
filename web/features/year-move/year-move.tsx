import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { counted, longDate } from '../../lib/format'
import { consolePaths } from '../../lib/paths'
import { dateAndTime, schoolDate } from '../../lib/school-moment'
import { notifyFailure } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import {
  type LastMove,
  lastQuery,
  previewMove,
  useApplying,
  useUndoing,
  AppliedMove,
  UndoneMoveText,
  MovePreview,
} from './move-preview'

/** Every child one grade up, previewed first and undoable for a week (families.md section 4). */
export const YearMove = () => {
  const last = useQuery(lastQuery)
  return (
    <Card>
      <CardHeading
        title="Year move"
        hint="Before a new school year begins: every child goes one grade up, and grade 12 leaves."
        actions={
          <Link to={consolePaths.roll} className="btn btn-secondary btn-md">
            Back to the Roll
          </Link>
        }
      />
      <CardBody>
        <QueryResult query={last} failure="Failed to fetch the last year move">
          {({ promotion }) => <Steps last={promotion} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const Steps = ({ last }: { last: LastMove | null }) => {
  const [rename, setRename] = useState(true)
  const previewing = useMutation(previewMove)
  const applying = useApplying()
  const undoing = useUndoing()
  const isOver = applying.isSuccess || undoing.isSuccess
  const move = isOver ? undefined : previewing.data
  const preview = () => {
    applying.reset()
    undoing.reset()
    previewing.mutate(
      { body: { rename } },
      { onError: (error) => notifyFailure(error, 'Failed to preview the year move') },
    )
  }
  return (
    <div className="flex flex-col gap-6">
      {last ? (
        <UndoLast
          last={last}
          undoing={undoing}
          onUndone={() => {
            previewing.reset()
            applying.reset()
          }}
        />
      ) : null}
      <div className="flex flex-col items-start gap-3">
        <Checkbox
          label="Rename classes too"
          hint="“3B” becomes “4B”. Names that do not begin with the grade stay."
          checked={rename}
          onChange={({ target }) => {
            setRename(target.checked)
            // The preview is outdated.
            previewing.reset()
          }}
        />
        <Button
          variant={move || isOver ? 'secondary' : 'primary'}
          busy={previewing.isPending}
          busyLabel="Looking..."
          onClick={preview}
        >
          {move ? 'Preview Again' : 'Preview'}
        </Button>
        <p className="text-sm text-muted">A preview changes nothing.</p>
      </div>
      <div aria-live="polite">
        {undoing.data ? <UndoneMoveText undone={undoing.data} /> : null}
        {applying.data ? <AppliedMove move={applying.data} /> : null}
        {move ? <MovePreview move={move} renamed={rename} last={last} applying={applying} /> : null}
      </div>
    </div>
  )
}

type UndoLastProps = {
  last: LastMove
  undoing: ReturnType<typeof useUndoing>
  onUndone: () => void
}

/** The last promotion while it can be undone. */
const UndoLast = ({ last, undoing, onUndone }: UndoLastProps) => {
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
