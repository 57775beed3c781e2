import { useEffect, useState } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { afterPaint } from '../../lib/after-paint'

/** Which weeks of a calendar are folded, and which of the others are drawn by now. */
export type Folds = {
  isFolded: (week: CycleWeek) => boolean
  isDrawn: (week: CycleWeek) => boolean
  set: (week: number, folded: boolean) => void
  /** How many weeks before the first that takes orders were folded at first. */
  leading: number
}

/**
 * The folds of these weeks. What is done at first is folded, and stays so until somebody unfolds it; a week that is done
 * later stays as it is: nothing moves under a finger. The other weeks are drawn one after another, each once the one
 * before is on the screen: all of them at once kept a cheap phone from answering for half a second.
 */
export const useFolds = (
  weeks: readonly CycleWeek[],
  isDone: (week: CycleWeek, at: number) => boolean,
): Folds => {
  const [byHand, setByHand] = useState<Readonly<Record<number, boolean>>>({})
  const [doneAtFirst] = useState(() => weeks.filter(isDone).map(({ week }) => week))
  const open = weeks.map(({ week }) => week).filter((week) => !doneAtFirst.includes(week))
  const [drawn, setDrawn] = useState(1)
  useEffect(
    () => (drawn < open.length ? afterPaint(() => setDrawn(drawn + 1)) : undefined),
    [drawn, open.length],
  )
  const isFolded = ({ week }: CycleWeek) => byHand[week] ?? doneAtFirst.includes(week)
  const first = weeks.findIndex(({ week }) => week === open[0])
  return {
    isFolded,
    isDrawn: (week) => !isFolded(week) && !open.slice(drawn).includes(week.week),
    set: (week, folded) => setByHand((before) => ({ ...before, [week]: folded })),
    leading: first === -1 ? weeks.length : first,
  }
}
