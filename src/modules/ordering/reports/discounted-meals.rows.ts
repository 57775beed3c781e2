import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'

/** An order that cost less than the menu; `sponsor` pays the rest. */
export type DiscountedMeal = {
  orderId: string
  sponsor: string | null
  discountPercentage: number
  studentId: number
  student: { name: string; grade: string; class: string | null }
  mealDate: SchoolDate
  originalPrice: Ngwee
  price: Ngwee
}

const selected = `select id as "orderId", sponsor, discount_percentage as "discountPercentage", student_id as "studentId",
  jsonb_build_object('name', student_name, 'grade', student_grade, 'class', student_class) as student,
  meal_date as "mealDate", original_price as "originalPrice", price
  from ordering.orders`

/** Pending and completed ones with a lunch on these dates. */
export const discountedMeals = async (
  at: Reader,
  { from, to }: { from: SchoolDate; to: SchoolDate },
): Promise<DiscountedMeal[]> => {
  const { rows } = await at.query<DiscountedMeal>(
    `${selected} where meal_date between $1 and $2 and status in ('pending', 'completed') and price < original_price`,
    [from, to],
  )
  return rows
}

/** In whatever status. */
export const mealsOfOrders = async (at: Reader, orderIds: readonly string[]): Promise<DiscountedMeal[]> => {
  const { rows } = await at.query<DiscountedMeal>(`${selected} where id = any($1::text[])`, [orderIds])
  return rows
}
