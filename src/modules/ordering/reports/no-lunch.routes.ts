import { classKey } from '#contracts/cycles'
import { grades } from '#contracts/identity'
import { noLunchReport, type NoLunchClass } from '#contracts/lunch-reports'
import { classNamed } from '#contracts/names'
import { groupedBy } from '#kernel/grouped-by'
import type { SchoolDate } from '#kernel/school-time'
import type { PresentChild } from '#modules/identity/index'
import type { Reader } from '#platform/database'
import { holdsOneOf, route, withFeature } from '#platform/http/route'
import { discountOfEach } from '../discounts/discounts.rows'
import type { OrderingNeeds } from '../ports'

/** plans-and-sponsors.md section 2. Many bring food: it says who has nothing ordered. */
export const noLunchRoutes = (needs: OrderingNeeds) => [
  route(noLunchReport, withFeature('kitchen', 'parents_students'), async ({ query: { date }, user }) => {
    const withNames = holdsOneOf(user, 'parents_students')
    const { children, eats, absent, without } = await lunchesOnDay(needs)(date)
    const discount = withNames ? await discountOfEach(needs.database.pool, [...without]) : null
    const classes = classesOf(children).map(([name, own]): NoLunchClass => {
      const left = own.filter((child) => without.has(child))
      const students =
        discount &&
        left.map((child) => ({
          id: child.id,
          name: child.name,
          discountPercentage: discount(child).percentage,
        }))
      const count = (some: ReadonlySet<number>) => own.filter(({ id }) => some.has(id)).length
      const counts = {
        children: own.length,
        ordered: count(eats),
        absent: count(absent),
        without: left.length,
      }
      return { class: name, ...counts, students }
    })
    const total = (of: 'children' | 'ordered' | 'absent' | 'without') =>
      classes.reduce((sum, one) => sum + one[of], 0)
    const totals = {
      children: total('children'),
      ordered: total('ordered'),
      absent: total('absent'),
      without: total('without'),
    }
    return { date, classes, totals }
  }),
]

type LunchesOnDay = {
  children: readonly PresentChild[]
  eats: ReadonlySet<number>
  absent: ReadonlySet<number>
  without: ReadonlySet<PresentChild>
}

/** Children of the school's register by whether they eat on a day; who is absent and eats all the same, eats. */
export const lunchesOnDay =
  ({ database, identity }: Pick<OrderingNeeds, 'database' | 'identity'>) =>
  async (date: SchoolDate): Promise<LunchesOnDay> => {
    const [children, orders] = await Promise.all([identity.presentChildren(), lunchesOf(database.pool, date)])
    const now = await identity.childrenNow(orders.map(({ studentId }) => studentId))
    const present = orders.map((one) => ({ ...one, studentId: now.get(one.studentId)?.id ?? 0 }))
    const eats = new Set(present.flatMap((one) => (one.absent ? [] : one.studentId)))
    const absent = new Set(
      present.flatMap((one) => (one.absent && !eats.has(one.studentId) ? one.studentId : [])),
    )
    const without = new Set(children.filter(({ id }) => !eats.has(id) && !absent.has(id)))
    return { children, eats, absent, without }
  }

type LunchOfChild = { studentId: number; absent: boolean }

const lunchesOf = async (pool: Reader, date: string): Promise<LunchOfChild[]> => {
  const { rows } = await pool.query<LunchOfChild>(
    `select student_id as "studentId", absent from ordering.orders
     where meal_date = $1 and status in ('pending', 'completed')`,
    [date],
  )
  return rows
}

/** A class, or "Grade 3" of those in none; in the order of grades. */
const classesOf = (children: readonly PresentChild[]): [string, PresentChild[]][] => {
  const classes = groupedBy(children, (child) =>
    child.class === null ? `grade ${child.grade}` : classKey(child.class),
  )
  return [...classes.values()]
    .toSorted(
      ([one], [other]) => placeOf(one!) - placeOf(other!) || nameOf(one!).localeCompare(nameOf(other!)),
    )
    .map((own) => [nameOf(own[0]!), own])
}

const placeOf = ({ grade }: PresentChild) => (grades as readonly string[]).indexOf(grade)
const nameOf = (child: PresentChild) =>
  child.class === null ? `Grade ${child.grade}` : classNamed(child.class)
