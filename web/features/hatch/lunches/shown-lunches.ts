import { useQuery } from '@tanstack/react-query'
import { classKey } from '#contracts/cycles'
import { classNamed, foldedName, foldedWords } from '#contracts/names'
import type { ServedLunch, CurrentMark } from '#contracts/serving'
import { classLabel } from '../../../lib/format'
import { schoolClock, schoolDate, schoolNow } from '../../../lib/school-moment'
import { useNow } from '../../../lib/use-time'
import { notCollectedQuery } from '../api'
import type { MarkNotice, WaitingMark } from '../device/device-store'
import { byOrder, effectiveMark, noticeText } from '../device/marks'

/** The server's state with this device's waiting marks on top. */
export type ShownLunch = {
  lunch: ServedLunch
  mark: CurrentMark | null
  /** Not sent yet. */
  isWaiting: boolean
  /** Null for none. */
  told: string | null
}

export const shownLunches = (
  lunches: readonly ServedLunch[],
  waiting: readonly WaitingMark[],
  told: readonly MarkNotice[],
): ShownLunch[] => {
  const marks = byOrder(waiting)
  const words = new Map(told.map((answer) => [answer.orderId, noticeText(answer)]))
  return lunches.map((lunch) => {
    const own = marks.get(lunch.orderId)
    return {
      lunch,
      mark: own ? effectiveMark(lunch.mark, own) : lunch.mark,
      isWaiting: own !== undefined,
      told: words.get(lunch.orderId) ?? null,
    }
  })
}

/** Unmarked and not reported absent. */
export const isExpected = ({ lunch, mark }: ShownLunch): boolean => mark === null && !lunch.absent

/** By marks, not by order status. */
export const isNotCollected = ({ mark }: ShownLunch): boolean => mark?.kind !== 'given'

/** Names containing every word. */
export const searchLunches = (lunches: readonly ShownLunch[], search: string): readonly ShownLunch[] => {
  const words = search.trim() === '' ? [] : foldedWords(search, 6)
  return words.length === 0
    ? lunches
    : lunches.filter(({ lunch }) => words.every((word) => foldedName(lunch.student).includes(word)))
}

/** In the server's order. */
export const byClass = (lunches: readonly ShownLunch[]): [string, ShownLunch[]][] => {
  const groups = new Map<string, [label: string, lunches: ShownLunch[]]>()
  for (const one of lunches) {
    const label = classNamed(classLabel(one.lunch))
    const group = groups.get(classKey(label))
    if (group) group[1].push(one)
    else groups.set(classKey(label), [label, [one]])
  }
  return [...groups.values()]
}

/** All where no class is named. */
export const ofClass = (lunches: readonly ShownLunch[], name: string): readonly ShownLunch[] =>
  name === '' ? lunches : lunches.filter(({ lunch }) => classKey(classLabel(lunch)) === classKey(name))

const toldFrom = '14:00'

/** Null before 14:00 school time. The server's list while it answers, plus this device's marks; else this device's own. */
export const useNotCollected = (
  date: string,
  all: readonly ShownLunch[],
  isLookedAt: boolean,
): readonly ShownLunch[] | null => {
  const now = schoolNow(useNow(15_000))
  const isOver = schoolDate(now) > date || (schoolDate(now) === date && schoolClock(now) >= toldFrom)
  const { data, isError, isPaused } = useQuery({ ...notCollectedQuery(date), enabled: isOver && isLookedAt })
  if (!isOver) return null
  if (!data || !isLookedAt || isError || isPaused) return all.filter(isNotCollected)
  const orders = new Set(data.classes.flatMap(({ lunches }) => lunches.map(({ orderId }) => orderId)))
  return all.filter(({ lunch }) => orders.has(lunch.orderId))
}
