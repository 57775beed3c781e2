import type { RevenueReply } from '#contracts/order-reports'
import { counted, dayAndMonth, gradeLabel, longDate } from '../../lib/format'
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

/** The four charts: revenue by week and by item, orders by status and by grade. */
export const chartsOf = (reply: RevenueReply): ChartData[] => [
  {
    title: 'Revenue by week',
    of: 'Week',
    series: ['Completed', 'Pending'],
    unit: 'kwacha',
    drawn: 'bars',
    places: reply.byWeek.map((week) => ({
      label: `Week ${week.week}, ${dayAndMonth(week.firstDay)}`,
      values: [week.completed, week.pending],
    })),
  },
  {
    title: 'Revenue by item',
    of: 'Menu item',
    series: ['Completed', 'Pending'],
    unit: 'kwacha',
    drawn: 'bars',
    places: [
      ...reply.byItem.map((item) => ({ label: item.name, values: [item.completed, item.pending] })),
      ...(reply.others.orders > 0
        ? [{ label: 'All others', values: [reply.others.completed, reply.others.pending] }]
        : []),
    ],
  },
  {
    title: 'Orders by status',
    of: 'Status',
    series: ['Orders'],
    unit: 'count',
    drawn: 'bars',
    places: statusShares(reply.stats).map(({ label, count }) => ({ label, values: [count] })),
  },
  {
    title: 'Orders by grade',
    of: 'Grade',
    series: ['Orders'],
    unit: 'count',
    drawn: 'bars',
    places: reply.byGrade.map(({ grade, orders }) => ({ label: gradeLabel(grade), values: [orders] })),
  },
]
