import type { MenuItem } from '#contracts/catalogue'
import type { DayState } from '#contracts/cycles'
import type { Grade } from '#contracts/identity'

/** Who a meal is for. */
export type Eater = { id: number; name: string; grade: Grade }

/** A school day of the active cycle. */
export type MenuDay = { cycleId: number; week: number; day: number; date: string; state: DayState }

/** As much of an order as the calendar looks at. */
export type DayOrder = {
  mealDate: string
  studentId: number
  student: { grade: Grade }
  menuItem: { name: string }
  category: string | null
  sideDish: string | null
  status: string
}

export type DayContent =
  | { kind: 'ordered'; title: 'Order Pending' | 'Order Confirmed'; order: DayOrder }
  | { kind: 'closed'; why: string }
  | { kind: 'meals'; items: MenuItem[] }
  | { kind: 'empty' }

const secondaryGrades: readonly Grade[] = ['6', '7', '8', '9', '10', '11', '12', 'teacher']
const closedWords: Record<Exclude<DayState, 'open'>, string> = {
  blocked: 'No school lunch on this day',
  past: 'This day has passed',
  cutoff: "Today's orders have closed",
}

/** Which one of its five contents a day shows for this child (parent-and-teacher.md sections 2 and 4). */
export const dayContent = (
  day: MenuDay,
  eater: Eater,
  items: readonly MenuItem[],
  orders: readonly DayOrder[],
): DayContent => {
  const order = orders.find((one) => isOrderOf(one, day, eater))
  if (order)
    return {
      kind: 'ordered',
      title: order.status === 'completed' ? 'Order Confirmed' : 'Order Pending',
      order,
    }
  if (day.state !== 'open') return { kind: 'closed', why: closedWords[day.state] }
  const offered = items.filter((item) => isOffered(item, day, eater))
  return offered.length > 0 ? { kind: 'meals', items: offered } : { kind: 'empty' }
}

const isOrderOf = (order: DayOrder, day: MenuDay, eater: Eater) =>
  stands(order) && order.mealDate === day.date && isFor(eater, order)

const stands = ({ status }: DayOrder) => status === 'pending' || status === 'completed'

const isFor = (eater: Eater, order: DayOrder) =>
  eater.grade === 'teacher' ? order.student.grade === 'teacher' : order.studentId === eater.id

/** What this child was ordered and did not have cancelled. */
export const ordersOf = <Order extends DayOrder>(eater: Eater, orders: readonly Order[]): Order[] =>
  orders.filter((order) => stands(order) && isFor(eater, order))

const isOffered = (item: MenuItem, day: MenuDay, eater: Eater) =>
  item.isAvailable &&
  !item.isArchived &&
  item.type === (secondaryGrades.includes(eater.grade) ? 'secondary' : 'primary') &&
  item.weekNumbers.includes(day.week) &&
  item.daysOfWeek.includes(day.day)

/** The sides to choose from; a teacher's meal has none. */
export const sidesFor = (item: MenuItem, eater: Eater): string[] =>
  eater.grade === 'teacher' ? [] : item.sideDishes
