import { notifyManager } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { classes } from '../../../lib/classes'
import { counted } from '../../../lib/format'
import { Card } from '../../../ui/card'
import { TextField } from '../../../ui/field'
import { EmptyState } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import type { DeviceList, HatchUser, Queue } from '../device/device-store'
import { type Act, useMarking, useRecentMarks, useStill } from '../use-hatch'
import { LunchRow, type LunchRowProps } from './lunch-row'
import {
  searchLunches,
  isNotCollected,
  isExpected,
  shownLunches,
  type ShownLunch,
  useNotCollected,
  byClass,
  ofClass,
} from './shown-lunches'

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
  const left = useStill(useNotCollected(list.date, all, view === 'notCollected'))
  const { recent: recentNow, remember } = useRecentMarks()
  const recent = useStill(recentNow)
  const field = useRef<HTMLInputElement>(null)
  const [found, setFound] = useState<string | null>(null)
  const onFound = useCallback((orderId: string) => {
    setFound(orderId)
    setSearch('')
    field.current?.focus()
  }, [])
  const onTop = found !== null && recent.undoable.has(found) ? found : null
  const isKept = ({ lunch }: ShownLunch) => recent.kept.has(lunch.orderId)
  const views: Record<HatchView, readonly ShownLunch[]> = {
    toCome: all.filter((one) => isExpected(one) || isKept(one)),
    all,
    notCollected: left ?? all.filter((one) => isNotCollected(one) || isKept(one)),
  }
  const sought = useDeferredValue(search).trim()
  // A search looks at every lunch, whatever is chosen.
  const listed = sought ? searchLunches(all, sought) : ofClass(views[view], className)
  const act = useActing(user, { shown: listed, isSearch: search.trim() !== '' }, remember, onFound)
  const isOnTop = ({ lunch }: ShownLunch) => lunch.orderId === onTop
  return (
    <>
      <HatchSearch
        field={field}
        search={search}
        onSearch={setSearch}
        classNames={useMemo(() => byClass(all).map(([name]) => name), [all])}
        className={className}
        onClass={setClass}
      />
      <HatchViews
        view={view}
        onView={setView}
        counts={{
          toCome: all.filter(isExpected).length,
          all: all.length,
          notCollected: left?.filter(isNotCollected).length,
        }}
      />
      <output className="text-sm text-muted empty:hidden">
        {sought && listed.length > 0 ? `${counted(listed.length, 'child', 'children')} found` : null}
      </output>
      {onTop === null ? null : (
        <Card className="overflow-hidden">
          <LunchRows shown={all.filter(isOnTop)} undoable={recent.undoable} onAct={act} />
        </Card>
      )}
      {listed.length === 0 ? (
        <Card>
          <EmptyState {...(sought ? nobodyFound : nothingListed(view, className))} />
        </Card>
      ) : (
        <LunchList
          shown={listed.filter((one) => !isOnTop(one))}
          all={all}
          undoable={recent.undoable}
          onAct={act}
        />
      )}
    </>
  )
}

const nobodyFound = {
  title: 'Nobody found',
  children: 'No lunch of this day is for a child of that name.',
}

const nothingListed = (view: HatchView, className: string) =>
  view === 'toCome'
    ? { title: 'Nobody is still to come', children: `Choose “All” to see ${className || 'every lunch'}.` }
    : { title: 'No lunch here', children: 'No lunch of this day matches the choice above.' }

/** Stable function per user. */
const useActing = (
  user: HatchUser,
  now: { shown: readonly ShownLunch[]; isSearch: boolean },
  remember: ReturnType<typeof useRecentMarks>['remember'],
  onFound: (orderId: string) => void,
) => {
  const mark = useMarking(user)
  const onScreen = useRef(now)
  useEffect(() => {
    onScreen.current = now
  })
  return useCallback(
    (act: Act) => {
      // One render per press.
      notifyManager.batch(() => {
        const markId = mark(act)
        const { shown, isSearch } = onScreen.current
        if (isSearch) onFound(act.orderId)
        if (act.kind === 'undone') return
        const orders = shown.map(({ lunch }) => lunch.orderId)
        notifyManager.schedule(() => remember(act.orderId, markId, orders))
      })
    },
    [mark, remember, onFound],
  )
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
/** Their heights are known at once, so that nothing moves. */
const classesAtFirst = 4

/** The first class is usable before the rest is drawn. */
const LunchList = ({ shown, all, ...rows }: LunchListProps) => {
  const drawn = useDeferredValue(Infinity, firstDrawn)
  const whole = new Map(byClass(all))
  return (
    <div className="flex flex-col gap-4">
      {byClass(shown.slice(0, drawn)).map(([name, lunches], index) => (
        <Card key={name} className="overflow-hidden">
          <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 pt-2 pb-1 font-display text-lg font-semibold sm:px-4 sm:text-xl">
            {name}
            <span className="money font-sans text-sm font-normal text-muted">
              {givenText(whole.get(name) ?? [])}
            </span>
          </h2>
          <LunchRows shown={lunches} isFar={index >= classesAtFirst} {...rows} />
        </Card>
      ))}
    </div>
  )
}

/** `isFar`: is laid out when it is scrolled to. */
const LunchRows = ({
  shown,
  undoable,
  onAct,
  isFar = false,
}: Omit<LunchListProps, 'all'> & { isFar?: boolean }) => (
  <ul
    className={
      isFar ? '*:[contain-intrinsic-size:auto_--spacing(16)] *:[content-visibility:auto]' : undefined
    }
  >
    {shown.map((one) => (
      <LunchRow
        key={one.lunch.orderId}
        shown={one}
        isUndoable={one.mark !== null && undoable.get(one.lunch.orderId) === one.mark.markId}
        onAct={onAct}
      />
    ))}
  </ul>
)

const givenText = (lunches: readonly ShownLunch[]) =>
  `${lunches.filter((one) => !isNotCollected(one)).length} of ${lunches.length} given`

const hatchViews = ['toCome', 'all', 'notCollected'] as const
type HatchView = (typeof hatchViews)[number]

const labels: Record<HatchView, string> = {
  toCome: 'Still to come',
  all: 'All',
  notCollected: 'Not collected today',
}

type HatchSearchProps = {
  field: RefObject<HTMLInputElement | null>
  search: string
  onSearch: (search: string) => void
  classNames: readonly string[]
  className: string
  onClass: (name: string) => void
}

/** Stays in sight. */
const HatchSearch = ({ field, search, onSearch, classNames, className, onClass }: HatchSearchProps) => (
  <div className="sticky top-0 z-20 -mx-4 grid grid-cols-2 gap-2 bg-page px-4 py-1 sm:-mx-6 sm:px-6">
    <TextField
      ref={field}
      label="Find a child"
      hideLabel
      type="search"
      placeholder="Find a child"
      autoComplete="off"
      className="[&_input]:min-h-12"
      value={search}
      onChange={(event) => onSearch(event.target.value)}
    />
    <Select
      label="Class"
      hideLabel
      className="[&_select]:min-h-12"
      options={[
        { value: '', label: 'All classes' },
        ...classNames.map((name) => ({ value: name, label: name })),
      ]}
      value={className}
      onChange={(event) => onClass(event.target.value)}
    />
  </div>
)

type HatchViewsProps = {
  view: HatchView
  onView: (view: HatchView) => void
  /** Views without lunches are not offered. */
  counts: Partial<Record<HatchView, number>>
}

const HatchViews = ({ view: chosen, onView, counts }: HatchViewsProps) => (
  <fieldset className="flex rounded-md border border-sand-300 bg-sand-100 p-0.5">
    <legend className="sr-only">Which lunches</legend>
    {hatchViews.map((view) =>
      counts[view] === undefined ? null : (
        <button
          key={view}
          type="button"
          aria-pressed={chosen === view}
          onClick={() => onView(view)}
          className={classes(
            'min-h-12 flex-1 rounded-sm px-1 text-xs leading-tight! font-semibold sm:text-sm',
            chosen === view ? 'bg-surface text-brand-800 shadow-card' : 'text-muted',
          )}
        >
          {`${labels[view]} (${counts[view]})`}
        </button>
      ),
    )}
  </fieldset>
)
