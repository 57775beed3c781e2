import { stringify } from 'csv-stringify/sync'
import type { Pool } from 'pg'
import { csvFormat } from '#contracts/csv'
import type { QueryOf } from '#contracts/endpoint'
import { sponsoredReport, sponsoredReportCsv, type SponsoredReport } from '#contracts/lunch-reports'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { csvRoute } from '#platform/http/csv-route'
import { httpRefusal } from '#platform/http/request'
import { holdsOneOf, route, withFeature, type Principal, type Route } from '#platform/http/route'
import type { BooksNeeds } from '../ports'
import { sponsoredReportOf, type SponsoredMeal } from './sponsored.decide'

type Asked = QueryOf<typeof sponsoredReport>

const viewers = withFeature('revenue')

/** plans-and-sponsors.md section 2. */
export const sponsoredRoutes = (needs: BooksNeeds): Route[] => [
  route(sponsoredReport, viewers, ({ query, user }) => reportFor(needs, query, user)),

  csvRoute(sponsoredReportCsv, viewers, async (asked, user) => ({
    name: `tuckshop-sponsored-${asked.from}-${asked.to}.csv`,
    text: sponsoredFile(await reportFor(needs, asked, user)),
  })),
]

const reportFor = async (needs: BooksNeeds, asked: Asked, user: Principal): Promise<SponsoredReport> => {
  const withNames = asked.names === true
  if (withNames && !holdsOneOf(user, 'parents_students'))
    throw httpRefusal('forbidden', 'Names of children need the feature Parents & Students')
  const meals = asked.by === 'booking' ? await mealsByBooking(needs, asked) : await mealsByDate(needs, asked)
  const present = await needs.identity.childrenNow(meals.map(({ studentId }) => studentId))
  const under = meals.map((meal) => ({
    ...meal,
    studentId: present.get(meal.studentId)?.id ?? meal.studentId,
  }))
  return sponsoredReportOf(under, withNames)
}

type Range = { from: SchoolDate; to: SchoolDate }

const mealsByDate = async ({ ordering }: BooksNeeds, range: Range): Promise<SponsoredMeal[]> =>
  (await ordering.discountedMeals(range)).map(({ originalPrice, ...meal }) => ({
    ...meal,
    meals: 1,
    fullPrice: originalPrice,
  }))

const mealsByBooking = async (needs: BooksNeeds, range: Range): Promise<SponsoredMeal[]> => {
  const booked = await discountsBooked(needs.database.pool, range)
  const orders = await needs.ordering.mealsOfOrders(booked.map(({ orderId }) => orderId))
  const orderOf = new Map(orders.map((order) => [order.orderId, order]))
  return booked.flatMap(({ orderId, discount, price, meals }) => {
    const order = orderOf.get(orderId)
    return order ? [{ ...order, meals, price, fullPrice: price + discount }] : []
  })
}

type Booked = { orderId: string; discount: Ngwee; price: Ngwee; meals: number }

/** By order with a discount booked on these days: what was booked then; `meals` is -1 where only its end was. */
const discountsBooked = async (pool: Pool, { from, to }: Range): Promise<Booked[]> => {
  const { rows } = await pool.query<Booked>(
    `with sums as (
       select order_id as "orderId",
         coalesce(sum(amount) filter (where kind = 'discount' and booked between $1 and $2), 0)::float8 as discount,
         coalesce(sum(amount) filter (where kind = 'meal' and booked between $1 and $2), 0)::float8 as price,
         (coalesce(sum(amount) filter (where kind = 'discount' and booked <= $2), 0) > 0)::int
           - (coalesce(sum(amount) filter (where kind = 'discount' and booked < $1), 0) > 0)::int as meals
       from books.bookings
       where kind in ('discount', 'meal') and order_id in (
         select order_id from books.bookings where kind = 'discount' and booked between $1 and $2)
       group by order_id)
     select * from sums where discount <> 0 or price <> 0`,
    [from, to],
  )
  return rows
}

const heads = ['Sponsor', 'Discount (%)', 'Children', 'Meals', 'Days', 'Full price (K)', 'Sponsored (K)']

const cellsOf = (row: SponsoredReport['totals']) => {
  const counts = [row.children, row.meals, row.days].map(String)
  return [...counts, row.fullPrice, row.sponsored, row.paidByFamilies, '', '']
}

/** A row for each child where the report names them, with what is the child's. */
const sponsoredFile = ({ rows, totals }: SponsoredReport): string => {
  const lines = rows.flatMap((row) => {
    const of = [row.sponsor ?? '', String(row.discountPercentage)]
    const children = (row.students ?? []).map((child) => {
      const counts = ['', String(child.meals), '', '', child.sponsored, '']
      return [...of, ...counts, child.name, child.class ?? child.grade]
    })
    return [[...of, ...cellsOf(row)], ...children]
  })
  return stringify(
    [[...heads, 'Paid by families (K)', 'Child', 'Class'], ...lines, ['Total', '', ...cellsOf(totals)]],
    {
      ...csvFormat,
      bom: true,
    },
  )
}
