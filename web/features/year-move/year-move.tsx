import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { consolePaths } from '../../lib/console-paths'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { QueryResult } from '../../ui/query-result'
import { type LastMove, lastQuery, previewMove, useApplying, useUndoing } from './api'
import { AppliedMove, UndoneMoveWords } from './move-outcome'
import { MovePreview } from './move-preview'
import { UndoLast } from './undo-last'

/** The school year begins: every child one grade up, looked at first and undone for a week (families.md section 4). */
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
            // What is shown is not what would be done.
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
        {undoing.data ? <UndoneMoveWords undone={undoing.data} /> : null}
        {applying.data ? <AppliedMove move={applying.data} /> : null}
        {move ? <MovePreview move={move} renamed={rename} last={last} applying={applying} /> : null}
      </div>
    </div>
  )
}
