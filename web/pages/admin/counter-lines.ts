import type { OrderCycle } from '#contracts/cycles'
import type { FamilyPage } from '#contracts/find'
import { type CartLine, orderForFamily } from '#contracts/ordering'
import type { CartItem } from '../../features/cart/cart'
import { endpointMutation } from '../../lib/endpoint-query'

export const ordering = endpointMutation(orderForFamily, 'ordering', 'payments', 'catalogue')

/** Today counts as open for the office, which the server has the last word on. */
export const opened = (cycles: readonly OrderCycle[]): OrderCycle[] =>
  cycles.map((cycle) => ({
    ...cycle,
    weeks: cycle.weeks?.map((week) => ({
      ...week,
      days: week.days.map((day) =>
        day.date === cycle.today && day.state === 'cutoff' ? { ...day, state: 'open' as const } : day,
      ),
    })),
  }))

/** Upcoming meals hold their days; what was eaten before is not known here. */
export const ordersIn = ({ upcoming }: FamilyPage) =>
  upcoming.map(({ id, mealDate, student, menuItem, status }) => ({
    id,
    mealDate,
    student,
    status,
    studentId: Number(id.split('.')[0]),
    menuItem: { id: 0, name: menuItem.name },
    dayOfWeek: 0,
    category: null,
    sideDish: null,
  }))

/** Without a price to pay: the server takes the child's discount off. */
export const cartLineOf = (item: CartItem): CartLine => ({
  menuItemId: item.menuItemId,
  studentId: item.studentId,
  weekNumber: item.weekNumber,
  dayOfWeek: item.dayOfWeek,
  date: item.date,
  category: item.category,
  sideDish: item.sideDish,
  comments: item.comments,
  originalPrice: Number(item.menuItem.price),
  ...(item.acknowledged && { acknowledged: true }),
})
