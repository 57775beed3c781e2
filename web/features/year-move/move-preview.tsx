import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import { applyPromotion, lastPromotion, previewPromotion, undoPromotion } from '#contracts/enrolment'
import { CallError, messageOf } from '../../lib/call'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { counted, longDate, longDay } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'

type MovePreviewProps = {
  move: YearMove
  /** Classes get new names. */
  renamed: boolean
  /** A new promotion ends its undo. */
  last: LastMove | null
  applying: ReturnType<typeof useApplying>
}

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
        {[...effectsOf(move, renamed), last ? againText(last) : 'You can undo it for 7 days.'].join(' ')}
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

const againText = ({ appliedAt }: LastMove): string =>
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

export const AppliedMove = ({ move }: { move: YearMove }) => (
  <div className="flex flex-col gap-4">
    <p className="text-lg font-semibold">
      {`Done: ${counted(move.students, 'child is', 'children are')} one grade up, ${move.leaving} left.`}
    </p>
    <AffectedLunches lunches={move.affectedOrders} />
  </div>
)

/** Edited children stay. */
export const UndoneMoveText = ({ undone }: { undone: UndoneMove }) => (
  <div className="flex flex-col gap-4">
    <p className="text-lg font-semibold">
      {`Undone: ${counted(undone.students, 'child is', 'children are')} as before the year move.`}
    </p>
    {undone.kept.length > 0 ? (
      <section aria-label="Children that stay as they are" className="flex flex-col gap-2">
        <h3 className="font-semibold">
          {`${counted(undone.kept.length, 'child was', 'children were')} edited since and ${undone.kept.length === 1 ? 'stays' : 'stay'} so`}
        </h3>
        <ul className="divide-y divide-line rounded-md border border-line">
          {undone.kept.map(({ id, student }) => (
            <li key={id} className="px-3 py-2 text-sm font-semibold wrap-anywhere">
              {student}
            </li>
          ))}
        </ul>
      </section>
    ) : null}
    <AffectedLunches lunches={undone.affectedOrders} />
  </div>
)

const maxNamed = 500

/** Not orderable again; nothing for none. */
const AffectedLunches = ({ lunches }: { lunches: readonly AffectedLunch[] }) =>
  lunches.length === 0 ? null : (
    <section aria-label="Lunches affected by the move" className="flex flex-col gap-2">
      <h3 className="font-semibold">
        {lunches.length < maxNamed
          ? `${counted(lunches.length, 'lunch', 'lunches')} to come ${lunches.length === 1 ? 'does' : 'do'} not fit the new grade`
          : `The next ${maxNamed} lunches that do not fit the new grade`}
      </h3>
      <p className="text-sm text-muted">
        They are of the menu for other grades, or of children who leave. They stay ordered and are cooked as
        they are; the family or the office can change or cancel them.
      </p>
      <ul className="divide-y divide-line rounded-md border border-line">
        {lunches.map(({ orderId, date, student, menuItem }) => (
          <li key={orderId} className="grid gap-x-4 px-3 py-2 text-sm sm:grid-cols-3">
            <span>{longDay(date)}</span>
            <span className="font-semibold wrap-anywhere">{student}</span>
            <span className="wrap-anywhere">{menuItem}</span>
          </li>
        ))}
      </ul>
    </section>
  )

type YearMove = ReplyOf<typeof previewPromotion>
type UndoneMove = ReplyOf<typeof undoPromotion>
export type LastMove = NonNullable<ReplyOf<typeof lastPromotion>['promotion']>
type AffectedLunch = YearMove['affectedOrders'][number]

/** Refetched whenever shown. */
export const lastQuery = { ...endpointQuery('identity', lastPromotion, {}), staleTime: 0 }

export const previewMove = endpointMutation(previewPromotion)
const applyMove = endpointMutation(applyPromotion, 'identity', 'ordering')
const undoMove = endpointMutation(undoPromotion, 'identity', 'ordering')

export const useApplying = () => useMutation(applyMove)
export const useUndoing = () => useMutation(undoMove)
