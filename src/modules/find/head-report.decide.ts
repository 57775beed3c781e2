import { sum, decimalFromNgwee, type Ngwee } from '#kernel/money'
import {
  addDays,
  instantAt,
  longDay,
  mondayOf,
  schoolMoment,
  weekdayName,
  type SchoolDate,
} from '#kernel/school-time'
import type { LunchSum } from '#modules/ordering/index'

/** The Monday whose report is due, from its 06:30 until the next one's. */
export const reportMonday = ({ now, zone }: { now: Date; zone: string }): SchoolDate => {
  const monday = mondayOf(schoolMoment(now, zone).date)
  return now >= instantAt(monday, 6, 30, zone) ? monday : addDays(monday, -7)
}

export type WeekFacts = {
  /** Of the week and the four before it. */
  lunches: readonly LunchSum[]
  /** Lunches of the week below the price of the menu, and what was taken off. */
  sponsored: { meals: number; amount: Ngwee }
  /** For each day with lunches: children of the register without one. */
  without: readonly { date: SchoolDate; children: number }[]
  closed: readonly { date: SchoolDate; forAll: boolean }[]
  moneyIn: Ngwee
  moneyBack: Ngwee
  unreached: number
}

const weeksBefore = 4
const mostDishes = 8
const mostClasses = 12

/** Half a page about the week before `monday`, without names of families. */
export const weekLetter = (
  facts: WeekFacts,
  monday: SchoolDate,
): { subject: string; paragraphs: string[] } => {
  const first = addDays(monday, -7)
  const own = facts.lunches.filter(({ date }) => date >= first && date < monday)
  const before = Array.from({ length: weeksBefore }, (_, index) => {
    const [from, to] = [addDays(first, -7 * (index + 1)), addDays(first, -7 * index)]
    return facts.lunches.filter(({ date }) => date >= from && date < to)
  })
  const beside = (rows: (lunches: readonly LunchSum[]) => readonly LunchSum[]): string =>
    `${meals(rows(own))} (${before.map((week) => meals(rows(week))).join(', ')})`
  const linesBy = (name: 'item' | 'class', most: number): string[] => {
    const names = [...new Set(own.map((one) => one[name]))]
    const sums = names.map((key) => ({ key, count: meals(own.filter((one) => one[name] === key)) }))
    const shown = new Set(
      sums
        .toSorted((one, other) => other.count - one.count || byName(one.key, other.key))
        .slice(0, most)
        .map(({ key }) => key),
    )
    const lines = [...shown].map(
      (key) => [key, beside((all) => all.filter((one) => one[name] === key))] as const,
    )
    const sorted = name === 'class' ? lines.toSorted(([one], [other]) => byName(one, other)) : lines
    const others =
      names.length > most
        ? [['Others', beside((all) => all.filter((one) => !shown.has(one[name])))] as const]
        : []
    return [...sorted, ...others].map(([key, counts]) => `${key}: ${counts}`)
  }
  return {
    subject: `The week of ${longDay(first)}`,
    paragraphs: [
      `this was the week of ${longDay(first)}. In brackets: the four weeks before it, the latest first.`,
      `Lunches: ${beside((all) => all)}`,
      ...(own.length === 0
        ? []
        : [
            listed('By dish:', linesBy('item', mostDishes)),
            listed('By class:', linesBy('class', mostClasses)),
          ]),
      listed(null, otherLines(own, facts)),
    ],
  }
}

const listed = (head: string | null, lines: readonly string[]): string =>
  [...(head === null ? [] : [head]), ...lines.map((line) => `- ${line}`)].join('\n')

const byName = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

const meals = (lunches: readonly LunchSum[]): number => sum(lunches.map((one) => one.meals))

const money = (ngwee: Ngwee) => `K${decimalFromNgwee(ngwee)}`

const otherLines = (
  own: readonly LunchSum[],
  { sponsored, without, closed, moneyIn, moneyBack, unreached }: WeekFacts,
): string[] => {
  const dates = [...new Set(own.map(({ date }) => date))].toSorted()
  const on = (date: SchoolDate) => own.filter((one) => one.date === date)
  const isMarked = (date: SchoolDate) => on(date).some(({ given }) => given > 0)
  const marked = dates.filter(isMarked)
  const left = sum(marked.map((date) => sum(on(date).map((one) => one.left))))
  const noLunch = without.map(({ date, children }) => `${weekdayName(date)} ${children}`)
  const closedDays = closed.map(
    ({ date, forAll }) => `${weekdayName(date)}${forAll ? '' : ' (some classes)'}`,
  )
  return [
    `Sponsored: ${sponsored.meals} lunches, ${money(sponsored.amount)} taken off by discounts`,
    `Not collected: ${marked.length === 0 ? 'not marked at the hatch' : left}`,
    `No lunch ordered: ${noLunch.join(', ') || 'no day with lunches'}`,
    `Closed days: ${closedDays.join(', ') || 'none'}`,
    `Money in: ${money(moneyIn)}, back: ${money(moneyBack)}`,
    `Families not reached in the last three days: ${unreached}`,
  ]
}
