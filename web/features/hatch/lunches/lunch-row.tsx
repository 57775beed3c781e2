import { memo, useRef, useState, type RefObject, useLayoutEffect, type FormEvent } from 'react'
import type { CurrentMark, ServedLunch } from '#contracts/serving'
import { classes } from '../../../lib/classes'
import { dietText, capitalised, namesakeText } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { TextArea } from '../../../ui/field'
import { Icon } from '../../../ui/icon'
import { markSentence } from '../device/marks'
import type { Act } from '../use-hatch'
import type { ShownLunch } from './shown-lunches'

export type LunchRowProps = {
  shown: ShownLunch
  isUndoable: boolean
  onAct: (act: Act) => void
}

/** Memoized per lunch. */
export const LunchRow = memo(
  ({ shown, isUndoable, onAct }: LunchRowProps) => {
    const { lunch, mark, isWaiting, told } = shown
    const [open, setOpen] = useState(false)
    const more = useRef<HTMLButtonElement>(null)
    const isGiven = mark?.kind === 'given'
    const name = [lunch.student, lunch.tellApart].filter(Boolean).join(', ')
    const act = (one: Omit<Act, 'orderId'>) => {
      setOpen(false)
      onAct({ ...one, orderId: lunch.orderId })
    }
    return (
      <li
        className={classes(
          'flex flex-wrap items-center gap-x-3 border-t border-line px-3 py-1.5 first:border-t-0 sm:px-4',
          isGiven && 'bg-brand-50',
        )}
      >
        <div className="relative flex min-h-14 min-w-0 flex-1 flex-col justify-center gap-0.5 pr-6">
          <h3 className="text-lg leading-tight! font-bold break-words">{lunch.student}</h3>
          {lunch.tellApart ? (
            <p className="font-semibold break-words">{namesakeText(lunch.tellApart)}</p>
          ) : null}
          <p className="text-sm leading-tight! break-words">
            {[lunch.menuItem, lunch.category && capitalised(lunch.category), lunch.sideDish]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {mark ? <Standing mark={mark} isWaiting={isWaiting} /> : null}
          {!mark && isWaiting ? <p className="text-sm text-warning-700">Undone · not sent yet</p> : null}
          {told ? <Told words={told} /> : null}
          <MoreButton ref={more} name={name} open={open} onToggle={() => setOpen(!open)} />
        </div>
        {isGiven && !isUndoable ? null : (
          <MainButton
            name={name}
            isUndo={isGiven}
            after={more}
            onPress={() => act(isGiven ? { kind: 'undone', undoes: mark.markId } : { kind: 'given' })}
          />
        )}
        <div className="flex basis-full flex-col gap-1 empty:hidden">
          <ToKnow lunch={lunch} />
        </div>
        {open ? (
          <div className="flex basis-full flex-col gap-2 py-2">
            <LunchMenu mark={mark} onAct={act} />
          </div>
        ) : null}
      </li>
    )
  },
  (before, after) =>
    before.shown.lunch === after.shown.lunch &&
    before.shown.mark?.markId === after.shown.mark?.markId &&
    before.shown.isWaiting === after.shown.isWaiting &&
    before.shown.told === after.shown.told &&
    before.isUndoable === after.isUndoable &&
    before.onAct === after.onAct,
)

const Standing = ({ mark, isWaiting }: { mark: CurrentMark; isWaiting: boolean }) => (
  <div
    className={classes(
      'flex items-start gap-1.5 text-sm leading-tight font-semibold',
      mark.kind === 'given' ? 'text-brand-800' : 'text-danger-700',
    )}
  >
    <Icon name={mark.kind === 'given' ? 'check' : 'alert'} size="sm" />
    <div className="min-w-0">
      <p>{markSentence(mark)}</p>
      {mark.note ? <p className="font-normal break-words">{mark.note}</p> : null}
      {isWaiting ? <p className="font-normal text-warning-700">Not sent yet</p> : null}
    </div>
  </div>
)

const Told = ({ words }: { words: string }) => (
  <p className="flex items-start gap-2 self-start rounded-md border border-warning-200 bg-warning-50 px-2 py-1 text-warning-700">
    <Icon name="info" className="mt-0.5" />
    <span className="min-w-0 break-words">{words}</span>
  </p>
)

type MoreButtonProps = {
  name: string
  open: boolean
  onToggle: () => void
  ref: RefObject<HTMLButtonElement | null>
}

/** Covers what is said of the lunch, so that the row shows one button. */
const MoreButton = ({ name, open, onToggle, ref }: MoreButtonProps) => (
  <button
    ref={ref}
    type="button"
    aria-expanded={open}
    aria-label={`More for ${name}`}
    onClick={onToggle}
    className="absolute -inset-y-1.5 -left-3 right-0 flex items-start justify-end rounded-md py-2.5 text-muted focus-visible:-outline-offset-3 sm:-left-4"
  >
    <Icon name={open ? 'chevron-up' : 'chevron-down'} size="sm" />
  </button>
)

/** Ms within which a second press counts as a bounce. */
const echoMs = 700

type MainButtonProps = {
  name: string
  isUndo: boolean
  /** Takes the focus when the button goes. */
  after: RefObject<HTMLButtonElement | null>
  onPress: () => void
}

/** "Give" and "Undo" are one button: the focus stays, and a bounce does not hit the other. */
const MainButton = ({ name, isUndo, after, onPress }: MainButtonProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const lastPress = useRef(-echoMs)
  useLayoutEffect(() => {
    const own = button.current
    const next = after.current
    return () => {
      if (document.activeElement === own) next?.focus()
    }
  }, [after])
  const press = () => {
    const now = performance.now()
    if (now - lastPress.current < echoMs) return
    lastPress.current = now
    onPress()
  }
  return (
    <Button
      ref={button}
      variant={isUndo ? 'secondary' : 'primary'}
      aria-label={isUndo ? undefined : `Give ${name}`}
      className="min-h-14 max-w-1/2 min-w-22 px-3! text-lg sm:min-w-40"
      onClick={press}
    >
      {isUndo ? 'Undo' : 'Give'}
    </Button>
  )
}

/** What matters before the lunch is handed out; allergies first. */
const ToKnow = ({ lunch }: { lunch: ServedLunch }) => (
  <>
    <Allergies of={lunch} />
    {lunch.absent || lunch.unpaid ? (
      <p className="flex flex-wrap gap-1">
        {lunch.absent ? (
          <Badge tone="danger" icon="alert">
            Ill today
          </Badge>
        ) : null}
        {lunch.unpaid ? (
          <Badge tone="warning" icon="wallet">
            Unpaid
          </Badge>
        ) : null}
      </p>
    ) : null}
    {lunch.comments ? (
      <p className="border-l-3 border-accent-300 bg-accent-50 px-2 text-sm break-words">{lunch.comments}</p>
    ) : null}
    {lunch.diet === 'none' ? null : <p className="font-bold">{`Diet: ${dietText[lunch.diet]}`}</p>}
    {lunch.medicalNote ? (
      <p className="flex items-start gap-2 font-semibold break-words text-danger-700">
        <Icon name="alert" className="mt-0.5" />
        <span className="min-w-0">{`Medical note: ${lunch.medicalNote}`}</span>
      </p>
    ) : null}
  </>
)

/** Large and red. Nothing means not declared, which is not "none". */
const Allergies = ({ of: { allergies } }: { of: Pick<ServedLunch, 'allergies'> }) => {
  if (allergies === null) return null
  if (allergies.length === 0) return <p className="text-sm leading-tight text-muted">No allergies</p>
  return (
    <p className="flex items-start gap-2 self-start rounded-md bg-danger-700 px-2 py-1 text-lg font-bold text-white">
      <Icon name="alert" className="mt-0.5" />
      <span className="min-w-0 break-words">{`Allergies: ${allergies.join(', ')}`}</span>
    </p>
  )
}

type LunchMenuProps = {
  /** What stands of the lunch. */
  mark: CurrentMark | null
  onAct: (act: Omit<Act, 'orderId'>) => void
}

/** Other outcomes; a mark must be undone before a new one. */
const LunchMenu = ({ mark, onAct }: LunchMenuProps) => {
  const [noting, setNoting] = useState(false)
  if (mark)
    return (
      <Button
        variant="secondary"
        icon="undo"
        className="min-h-12"
        onClick={() => onAct({ kind: 'undone', undoes: mark.markId })}
      >
        Undo
      </Button>
    )
  if (noting)
    return <ProblemForm onNote={(note) => onAct({ kind: 'problem', note })} onBack={() => setNoting(false)} />
  return (
    <>
      <Button
        variant="secondary"
        icon="person"
        className="min-h-12"
        onClick={() => onAct({ kind: 'absent' })}
      >
        Absent
      </Button>
      <Button variant="secondary" icon="alert" className="min-h-12" onClick={() => setNoting(true)}>
        Problem
      </Button>
    </>
  )
}

const ProblemForm = ({ onNote, onBack }: { onNote: (note: string | null) => void; onBack: () => void }) => {
  const [note, setNote] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    onNote(note.trim() || null)
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-2">
      <TextArea
        label="What is the problem?"
        maxLength={200}
        rows={2}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" className="min-h-12">
        Save problem
      </Button>
      <Button variant="ghost" className="min-h-12" onClick={onBack}>
        Cancel
      </Button>
    </form>
  )
}
