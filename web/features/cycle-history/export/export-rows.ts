import type { CycleOrder } from '#contracts/cycle-orders'
import { csvFile } from '../../../lib/csv'
import { dayName } from '../../../lib/format'
import { schoolClock, schoolDate } from '../../../lib/school-moment'
import { itemsOf } from '../order-words'

/** The columns of the file (administrator.md section 3) and what stands in each; prices exact to the ngwee. */
const columns: readonly [string, (order: CycleOrder) => string][] = [
  ['Order Date', ({ orderDate }) => `${schoolDate(orderDate)} ${schoolClock(orderDate)}`],
  ['Student Name', ({ student }) => student.name],
  ['Student Grade', ({ student }) => student.grade],
  ['Menu Item', itemsOf],
  ['Cycle Start', ({ cycle }) => cycle.startDate ?? 'No date'],
  ['Week', ({ weekNumber }) => String(weekNumber)],
  ['Day', ({ dayOfWeek }) => dayName(dayOfWeek)],
  ['Category', ({ category }) => category ?? ''],
  ['Side Dish', ({ sideDish }) => sideDish ?? ''],
  ['Comments', ({ comments }) => comments],
  ['Original Price', ({ originalPrice }) => originalPrice.toFixed(2)],
  ['Discounted Price', ({ discountedPrice }) => discountedPrice.toFixed(2)],
  ['Status', ({ status }) => status],
]

export const ordersCsv = (orders: readonly CycleOrder[]): Promise<string> =>
  csvFile(
    columns.map(([name]) => name),
    orders.map((order) => columns.map(([, of]) => of(order))),
  )

/** `date` is the school's, `YYYY-MM-DD`. */
export const exportName = (date: string): string => `cycle-orders-${date}.csv`
