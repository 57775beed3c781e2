import type { SponsoredReport, SponsoredRow } from '#contracts/lunch-reports'
import { classNamed } from '#contracts/names'
import { groupedBy } from '#kernel/grouped-by'
import { kwachaFromNgwee, sum, type Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'

/** What one order adds to the report; `meals` is 1, or -1 where an earlier one was taken back. In ngwee. */
export type SponsoredMeal = {
  sponsor: string | null
  discountPercentage: number
  studentId: number
  student: { name: string; grade: string; class: string | null }
  mealDate: SchoolDate
  meals: number
  fullPrice: Ngwee
  price: Ngwee
}

const figuresOf = (meals: readonly SponsoredMeal[]) => {
  const fullPrice = sum(meals.map((meal) => meal.fullPrice))
  const price = sum(meals.map((meal) => meal.price))
  return {
    children: new Set(meals.map(({ studentId }) => studentId)).size,
    meals: sum(meals.map((meal) => meal.meals)),
    days: new Set(meals.flatMap((meal) => (meal.meals > 0 ? meal.mealDate : []))).size,
    fullPrice: kwachaFromNgwee(fullPrice),
    sponsored: kwachaFromNgwee(fullPrice - price),
    paidByFamilies: kwachaFromNgwee(price),
  }
}

const childrenOf = (meals: readonly SponsoredMeal[]): SponsoredRow['students'] => {
  const grouped = groupedBy(meals, ({ studentId }) => studentId)
  return [...grouped]
    .map(([id, own]) => {
      const { name, grade, class: inClass } = own.at(-1)!.student
      const { meals: count, sponsored } = figuresOf(own)
      return { id, name, grade, class: inClass && classNamed(inClass), meals: count, sponsored }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

export const sponsoredReportOf = (meals: readonly SponsoredMeal[], withNames: boolean): SponsoredReport => {
  const groups = groupedBy(meals, ({ sponsor, discountPercentage }) =>
    JSON.stringify([sponsor, discountPercentage]),
  )
  const rows = [...groups.values()].map((group) => {
    const { sponsor, discountPercentage } = group[0]!
    const students = withNames ? { students: childrenOf(group) } : {}
    return { sponsor, discountPercentage, ...figuresOf(group), ...students }
  })
  return { rows: rows.toSorted(inOrder), totals: figuresOf(meals) }
}

const inOrder = (one: SponsoredRow, other: SponsoredRow): number =>
  Number(one.sponsor === null) - Number(other.sponsor === null) ||
  (one.sponsor ?? '').localeCompare(other.sponsor ?? '', 'en') ||
  other.discountPercentage - one.discountPercentage
