import { useState } from 'react'
import { CallError, messageOf } from '../../lib/call'
import { counted, longDate } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { AffectedLunches } from './affected-lunches'
import type { LastMove, useApplying, YearMove } from './api'

type MovePreviewProps = {
  move: YearMove
  /** Whether classes get new names. */
  renamed: boolean
  /** That can no longer be undone once another one was made. */
  last: LastMove | null
  applying: ReturnType<typeof useApplying>
}

/** What a year move would do, and the way to do it. */
export const MovePreview = ({ move, renamed, last, applying }: MovePreviewProps) => {
  const [asked, setAsked] = useState(false)
  if (move.students + move.leaving === 0) return <p>There are no children at the school yet.</p>
  const apply = () => applying.mutate({ params: { id: move.id } }, { onSettled: () => setAsked(false) })
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {effectsOf(move, renamed).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      {applying.error ? <NotApplied error={applying.error} /> : null}
      <Button className="self-start" onClick={() => setAsked(true)}>
        Move the School Up
      </Button>
      <AffectedLunches lunches={move.affectedOrders} />
      <ConfirmDialog
        open={asked}
        title="Move every child one grade up?"
        confirm="Move Everybody Up"
        busy={applying.isPending}
        busyLabel="Moving..."
        onConfirm={apply}
        onClose={() => setAsked(false)}
      >
        {[...effectsOf(move, renamed), last ? againWords(last) : 'You can undo it for 7 days.'].join(' ')}
      </ConfirmDialog>
    </div>
  )
}

const effectsOf = ({ students, leaving, affectedOrders }: YearMove, renamed: boolean): string[] => [
  `${counted(students, 'child goes', 'children go')} one grade up.`,
  ...(leaving > 0
    ? [
        `${counted(leaving, 'child', 'children')} of grade 12 ${leaving === 1 ? 'leaves' : 'leave'}: nothing more can be ordered for them.`,
      ]
    : []),
  renamed ? 'Classes get the name of the new grade.' : 'Classes keep their names.',
  affectedOrders.length === 0
    ? 'All lunches to come fit the new grades.'
    : 'Lunches that were ordered stay ordered.',
]

const againWords = ({ appliedAt }: LastMove): string =>
  `The school was moved up on ${longDate(schoolDate(appliedAt))} already: this is one more grade, and that year move can then no longer be undone.`

const NotApplied = ({ error }: { error: unknown }) => (
  <Notice
    tone="danger"
    title={
      isChanged(error) ? 'The roll has changed since this preview. Nothing was done.' : 'The year move failed'
    }
  >
    <p>
      {isChanged(error)
        ? 'Somebody has added, edited or removed a child. Press “Preview Again” and look at what it does now.'
        : messageOf(error, 'Please try again.', 'No answer came. Please try again: it is done once at most.')}
    </p>
  </Notice>
)

const isChanged = (error: unknown) => error instanceof CallError && error.code === 'roll_changed'
