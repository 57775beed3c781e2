import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { classLabel, longDay, counted } from '../../../lib/format'
import { queueQuery } from '../api'
import {
  type DeviceList,
  type HatchUser,
  dismissNotices,
  type Queue,
  type MarkNotice,
} from '../device/device-store'
import {
  searchLunches,
  isNotCollected,
  isExpected,
  shownLunches,
  type ShownLunch,
  useNotCollected,
  byClass,
} from './shown-lunches'
import { type Act, useMarking, useRecentMarks } from '../use-hatch'
import { EmptyState } from '../../../ui/query-result'
import { Card } from '../../../ui/card'
import { LunchRow, type LunchRowProps } from './lunch-row'
import { classes } from '../../../lib/classes'
import { Select } from '../../../ui/select'
import { TextField } from '../../../ui/field'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { noticeText } from '../device/marks'

type LunchesProps = {
  user: HatchUser
  list: DeviceList
  /** Of this user alone. */
  waiting: Queue['waiting']
  told: Queue['told']
}

/** The lunches of the day: which of them are shown, and what is done about them. */
export const Lunches = ({ user, list, waiting, told }: LunchesProps) => {
  const [search, setSearch] = useState('')
  const [className, setClass] = useState('')
  const [view, setView] = useState<HatchView>('toCome')
  const all = useMemo(() => shownLunches(list.lunches, waiting, told), [list.lunches, waiting, told])
  const left = useNotCollected(list.date, all, view === 'notCollected')
  const { recent, remember } = useRecentMarks()
  const isKept = ({ lunch }: ShownLunch) => recent.kept.has(lunch.orderId)
  const views: Record<HatchView, readonly ShownLunch[]> = {
    toCome: all.filter((one) => isExpected(one) || isKept(one)),
    all,
    notCollected: left ?? all.filter((one) => isNotCollected(one) || isKept(one)),
  }
  const shown = searchLunches(views[view], useDeferredValue(search)).filter(
    ({ lunch }) => !className || classLabel(lunch) === className,
  )
  return (
    <>
      <Told user={user} told={told} list={list} />
      <HatchFilters
        search={search}
        onSearch={setSearch}
        classNames={useMemo(() => [...new Set(list.lunches.map(classLabel))], [list.lunches])}
        className={className}
        onClass={setClass}
        view={view}
        onView={setView}
        counts={{
          toCome: all.filter(isExpected).length,
          all: all.length,
          notCollected: left?.filter(isNotCollected).length,
        }}
      />
      <LunchList
        shown={shown}
        all={all}
        undoable={recent.undoable}
        onAct={useActing(user, shown, remember)}
      />
    </>
  )
}

/** Stable function per user. */
const useActing = (
  user: HatchUser,
  shown: readonly ShownLunch[],
  remember: ReturnType<typeof useRecentMarks>['remember'],
) => {
  const mark = useMarking(user)
  const onScreen = useRef(shown)
  useEffect(() => {
    onScreen.current = shown
  })
  return useCallback(
    (act: Act) => {
      // One render per press.
      notifyManager.batch(() => {
        const markId = mark(act)
        if (act.kind === 'undone') return
        const orders = onScreen.current.map(({ lunch }) => lunch.orderId)
        notifyManager.schedule(() => remember(act.orderId, markId, orders))
      })
    },
    [mark, remember],
  )
}

const Told = ({ user, told, list }: Pick<LunchesProps, 'user' | 'told' | 'list'>) => {
  const client = useQueryClient()
  const names = useMemo(() => new Map(list.lunches.map((one) => [one.orderId, one.student])), [list.lunches])
  const putAway = async () => {
    await dismissNotices(user.id)
    await client.invalidateQueries({ queryKey: queueQuery.queryKey })
  }
  return (
    <MarkNotices
      told={told}
      nameOf={(orderId) => names.get(orderId) ?? otherDay(orderId)}
      onPutAway={() => void putAway()}
    />
  )
}

const otherDay = (orderId: string) => {
  const date = /\d{4}-\d\d-\d\d/.exec(orderId)?.[0]
  return date ? `A lunch of ${longDay(date)}` : 'A lunch'
}

type LunchListProps = {
  shown: readonly ShownLunch[]
  all: readonly ShownLunch[]
  /** Recent mark by order. */
  undoable: ReadonlyMap<string, string>
  onAct: LunchRowProps['onAct']
}

/** More than any screen shows. */
const firstDrawn = 30

/** The first class is usable before the rest is drawn. */
const LunchList = ({ shown, all, undoable, onAct }: LunchListProps) => {
  const drawn = useDeferredValue(Infinity, firstDrawn)
  if (shown.length === 0)
    return (
      <Card>
        <EmptyState title="No lunch here">No lunch of this day matches the choice above.</EmptyState>
      </Card>
    )
  const whole = new Map(byClass(all))
  return (
    <div className="flex flex-col gap-4">
      {byClass(shown.slice(0, drawn)).map(([name, lunches]) => (
        <Card key={name}>
          <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-3 pb-2 font-display text-xl font-semibold">
            {name}
            <span className="money font-sans text-sm font-normal text-muted">
              {givenText(whole.get(name) ?? [])}
            </span>
          </h2>
          <ul>
            {lunches.map((one) => (
              <LunchRow
                key={one.lunch.orderId}
                shown={one}
                isUndoable={one.mark !== null && undoable.get(one.lunch.orderId) === one.mark.markId}
                onAct={onAct}
              />
            ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}

const givenText = (lunches: readonly ShownLunch[]) =>
  `${lunches.filter((one) => !isNotCollected(one)).length} of ${lunches.length} given`

const hatchViews = ['toCome', 'all', 'notCollected'] as const
type HatchView = (typeof hatchViews)[number]

const labels: Record<HatchView, string> = {
  toCome: 'Still to come',
  all: 'All',
  notCollected: 'Not collected today',
}

type HatchFiltersProps = {
  search: string
  onSearch: (search: string) => void
  classNames: readonly string[]
  className: string
  onClass: (name: string) => void
  view: HatchView
  onView: (view: HatchView) => void
  /** Views without lunches are not offered. */
  counts: Partial<Record<HatchView, number>>
}

const HatchFilters = (props: HatchFiltersProps) => (
  <>
    <div className="grid grid-cols-2 gap-2">
      <TextField
        label="Find a child"
        hideLabel
        type="search"
        placeholder="Find a child"
        autoComplete="off"
        className="[&_input]:min-h-12"
        value={props.search}
        onChange={(event) => props.onSearch(event.target.value)}
      />
      <Select
        label="Class"
        hideLabel
        className="[&_select]:min-h-12"
        options={[
          { value: '', label: 'All classes' },
          ...props.classNames.map((name) => ({ value: name, label: name })),
        ]}
        value={props.className}
        onChange={(event) => props.onClass(event.target.value)}
      />
    </div>
    <fieldset className="flex rounded-md border border-sand-300 bg-sand-100 p-0.5">
      <legend className="sr-only">Which lunches</legend>
      {hatchViews.map((view) =>
        props.counts[view] === undefined ? null : (
          <button
            key={view}
            type="button"
            aria-pressed={props.view === view}
            onClick={() => props.onView(view)}
            className={classes(
              'min-h-12 flex-1 rounded-sm px-2 text-sm font-semibold',
              props.view === view ? 'bg-surface text-brand-800 shadow-card' : 'text-muted',
            )}
          >
            {`${labels[view]} (${props.counts[view]})`}
          </button>
        ),
      )}
    </fieldset>
  </>
)

type ToldListProps = {
  told: readonly MarkNotice[]
  /** Whose lunch an order is, where it is on the list. */
  nameOf: (orderId: string) => string
  onPutAway: () => void
}

/** Until dismissed. */
const MarkNotices = ({ told, nameOf, onPutAway }: ToldListProps) =>
  told.length === 0 ? null : (
    <Notice tone="warning" title={`${counted(told.length, 'mark was', 'marks were')} changed by the server`}>
      {/* Scrollable by keyboard. */}
      <ul {...scrolling} className="flex max-h-60 w-full flex-col gap-1 overflow-y-auto">
        {told.map((answer) => (
          <li key={answer.markId} className="break-words">
            <strong>{nameOf(answer.orderId)}</strong>
            {`: ${noticeText(answer)}`}
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="min-h-12" onClick={onPutAway}>
        Dismiss
      </Button>
    </Notice>
  )

const scrolling = { tabIndex: 0, 'aria-label': 'Answers' }
