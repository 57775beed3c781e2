import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { classLabel, longDay } from '../../../lib/format'
import { queueQuery } from '../api'
import { type DeviceList, type HatchUser, putAwayTold, type Queue } from '../device/device-store'
import { HatchFilters, type HatchView } from './hatch-filters'
import { LunchList } from './lunch-list'
import { found, isNotCollected, isToCome, shownLunches, type ShownLunch } from './shown-lunches'
import { ToldList } from '../told-list'
import { useNotCollected } from './use-not-collected'
import { type Act, useMarking, useRecentMarks } from '../use-hatch'

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
    toCome: all.filter((one) => isToCome(one) || isKept(one)),
    all,
    notCollected: left ?? all.filter((one) => isNotCollected(one) || isKept(one)),
  }
  const shown = found(views[view], useDeferredValue(search)).filter(
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
          toCome: all.filter(isToCome).length,
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

/** Makes a mark and remembers it for a while, with what stands on screen. The same function as long as the user is. */
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
      // Told together, so that a press draws the screen once.
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
    await putAwayTold(user.id)
    await client.invalidateQueries({ queryKey: queueQuery.queryKey })
  }
  return (
    <ToldList
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
