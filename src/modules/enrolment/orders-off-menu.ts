import { schoolMoment } from '#kernel/school-time'
import { menuOfGrade } from '#modules/ordering/published'
import type { EnrolmentNeeds } from './ports'

const maxAffected = 500

/** Lunches from today on that are not of the menu of this grade (null: all), soonest first, at most 500. */
export const ordersOffMenu = async (
  { ordering, now, zone }: EnrolmentNeeds,
  studentIds: readonly number[],
  grade: string | null,
): Promise<{ orderId: string; studentId: number; date: string; menuItem: string }[]> => {
  const from = schoolMoment(now(), zone).date
  const notOnMenu = grade === null ? undefined : menuOfGrade(grade)
  const filter = { studentIds, state: 'pending', from, notOnMenu } as const
  const orders = await ordering.ordersWhere(filter, { sort: 'date', limit: maxAffected })
  return orders.map(({ id, studentId, mealDate, item }) => ({
    orderId: id,
    studentId,
    date: mealDate,
    menuItem: item.name,
  }))
}
