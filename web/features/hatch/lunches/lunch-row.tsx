import { memo, useRef, useState, type RefObject } from 'react'
import type { StandingMark } from '#contracts/serving'
import { classes } from '../../../lib/classes'
import { Icon } from '../../../ui/icon'
import { LunchFacts } from './lunch-facts'
import { LunchMenu } from './lunch-menu'
import { MainButton } from './main-button'
import { markInWords } from '../device/marks'
import type { ShownLunch } from './shown-lunches'
import type { Act } from '../use-hatch'

export type LunchRowProps = {
  shown: ShownLunch
  /** Whether what stands was marked here just now. */
  isUndoable: boolean
  onAct: (act: Act) => void
}

/** One lunch: who gets what, what is told of it, and what can be done. Drawn again only when it has changed. */
export const LunchRow = memo(
  ({ shown, isUndoable, onAct }: LunchRowProps) => {
    const { lunch, mark, isWaiting, told } = shown
    const [open, setOpen] = useState(false)
    const more = useRef<HTMLButtonElement>(null)
    const isGiven = mark?.kind === 'given'
    // Nothing but its menu is left to press, which then stands beside it on a phone too.
    const isDone = isGiven && !isUndoable && !open
    const act = (one: Omit<Act, 'orderId'>) => {
      setOpen(false)
      onAct({ ...one, orderId: lunch.orderId })
    }
    return (
      <li
        className={classes(
          'flex gap-3 border-t border-line px-4 py-3 first:border-t-0 sm:flex-row sm:items-start sm:justify-between',
          isDone ? 'items-start justify-between' : 'flex-col',
          '[contain-intrinsic-size:auto_--spacing(40)] [content-visibility:auto]',
          isGiven && 'bg-brand-50',
        )}
      >
        <div className="flex min-w-0 flex-col gap-2">
          <LunchFacts lunch={lunch} />
          {mark ? <Standing mark={mark} isWaiting={isWaiting} /> : null}
          {!mark && isWaiting ? <p className="text-sm text-warning-700">Undone · not sent yet</p> : null}
          {told ? <Told words={told} /> : null}
        </div>
        <div className="flex shrink-0 flex-col gap-2 sm:w-64 lg:w-80">
          <div className="flex gap-2">
            {isGiven && !isUndoable ? null : (
              <MainButton
                name={lunch.student}
                isUndo={isGiven}
                after={more}
                onPress={() => act(isGiven ? { kind: 'undone', undoes: mark.markId } : { kind: 'given' })}
              />
            )}
            <MoreButton ref={more} name={lunch.student} open={open} onToggle={() => setOpen(!open)} />
          </div>
          {open ? <LunchMenu mark={mark} onAct={act} /> : null}
        </div>
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

const Standing = ({ mark, isWaiting }: { mark: StandingMark; isWaiting: boolean }) => (
  <div
    className={classes(
      'flex items-start gap-2 font-semibold',
      mark.kind === 'given' ? 'text-brand-800' : 'text-danger-700',
    )}
  >
    <Icon name={mark.kind === 'given' ? 'check' : 'alert'} className="mt-0.5" />
    <div className="min-w-0">
      <p>{markInWords(mark)}</p>
      {mark.note ? <p className="font-normal break-words">{mark.note}</p> : null}
      {isWaiting ? <p className="text-sm font-normal text-warning-700">Not sent yet</p> : null}
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

const MoreButton = ({ name, open, onToggle, ref }: MoreButtonProps) => (
  <button
    ref={ref}
    type="button"
    aria-expanded={open}
    aria-label={`More for ${name}`}
    onClick={onToggle}
    className="ml-auto inline-grid min-h-14 min-w-14 place-items-center rounded-md border border-sand-300 bg-surface text-sand-800"
  >
    <Icon name={open ? 'chevron-up' : 'chevron-down'} />
  </button>
)
