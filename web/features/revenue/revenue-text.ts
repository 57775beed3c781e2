import { grades } from '#contracts/identity'
import type { RevenueReply } from '#contracts/order-reports'
import {
  counted,
  dayAndMonth,
  gradeLabel,
  kwacha,
  longDate,
  payByLabel,
  shortDay,
  wholeNumber,
} from '../../lib/format'
import type { ChartData } from '../../ui/chart-data'

type Stats = RevenueReply['stats']
export type StatusShare = { label: string; count: number; amount: number; percentage: string }

/** One decimal (section 9). */
export const statusShares = (stats: Stats): StatusShare[] => {
  const { totalOrders, cancelledOrders, pendingOrders } = stats
  const completed = totalOrders - cancelledOrders.count - pendingOrders.count
  const share = (label: string, { count, amount }: { count: number; amount: number }) => ({
    label,
    count,
    amount,
    percentage: `${(totalOrders === 0 ? 0 : (count / totalOrders) * 100).toFixed(1)}%`,
  })
  return [
    share('Completed', { count: completed, amount: stats.netRevenue }),
    share('Cancelled', cancelledOrders),
    share('Pending', pendingOrders),
  ]
}

/** Completed and pending (section 9). */
export const totalRevenue = ({ netRevenue, pendingOrders }: Stats): number =>
  (Math.round(netRevenue * 100) + Math.round(pendingOrders.amount * 100)) / 100

/** "from 14 September 2026, 4 weeks, active". */
export const cycleText = (cycle: RevenueReply['cycles'][number]): string =>
  `From ${longDate(cycle.startDate)}, ${counted(cycle.cycleLength, 'week')}${cycle.isActive ? ', active' : ''}`

const money = { unit: 'kwacha', drawn: 'bars' } as const

/** Of all time by week, of a cycle by day; dishes and methods of the period. */
export const chartsOf = (reply: RevenueReply, ofCycle: boolean): ChartData[] => [
  ...(ofCycle ? [] : [weekChart(reply)]),
  ...(reply.cycle ? cycleCharts(reply.cycle) : []),
  {
    title: 'Money by method',
    of: 'Method',
    series: ['Completed and pending'],
    ...money,
    places: reply.byMethod.map(({ method, amount }) => ({ label: payByLabel(method), values: [amount] })),
  },
  {
    title: 'Dishes by meals',
    of: 'Menu item',
    beside: ['Completed', 'Pending'],
    series: ['Meals'],
    unit: 'count',
    drawn: 'bars',
    places: [
      ...reply.byItem.map(({ name, ...share }) => dish(name, share)),
      ...(reply.others.meals > 0 ? [dish('All others', reply.others)] : []),
    ],
  },
]

const dish = (label: string, { meals, completed, pending }: RevenueReply['others']) => ({
  label,
  values: [meals],
  beside: [kwacha(completed), kwacha(pending)],
})

const weekChart = ({ byWeek }: RevenueReply): ChartData => ({
  title: 'Revenue by week',
  of: 'Week',
  series: ['Completed', 'Pending'],
  ...money,
  places: byWeek.map((week) => ({
    label: `Week ${week.week}, ${dayAndMonth(week.firstDay)}`,
    values: [week.completed, week.pending],
  })),
})

type CycleFigures = NonNullable<RevenueReply['cycle']>

const cycleCharts = ({ byDay, byClass }: CycleFigures): ChartData[] => {
  const hasBefore = byDay.some(({ before }) => before !== null)
  const daily = (title: string, unit: ChartData['unit'], of: 'meals' | 'amount'): ChartData => ({
    title,
    of: 'Day',
    series: ['This cycle', ...(hasBefore ? ['Last cycle'] : [])],
    unit,
    drawn: 'columns',
    compared: hasBefore,
    places: byDay.map(({ date, before, ...day }) => ({
      label: shortDay(date),
      values: [day[of], ...(hasBefore ? [before?.[of] ?? null] : [])],
    })),
  })
  return [
    daily('Meals by day', 'count', 'meals'),
    daily('Money by day', 'kwacha', 'amount'),
    {
      title: 'Uptake by class',
      of: 'Class',
      beside: ['Meals', 'Children'],
      series: ['Uptake'],
      unit: 'percent',
      drawn: 'bars',
      places: byClass.map(({ name, meals, children, uptake }) => ({
        label: isGrade(name) ? gradeLabel(name) : name,
        values: [uptake],
        beside: [wholeNumber(meals), wholeNumber(children)],
      })),
    },
    {
      title: 'Not collected and ill by day',
      of: 'Day',
      series: ['Not collected', 'Ill'],
      unit: 'count',
      drawn: 'columns',
      places: byDay
        .filter(({ meals }) => meals > 0)
        .map(({ date, notCollected, ill }) => ({ label: shortDay(date), values: [notCollected, ill] })),
    },
  ]
}

const isGrade = (name: string): boolean => grades.some((grade) => grade === name)
