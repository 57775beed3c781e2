import type { UpcomingMeal } from '#contracts/families'
import { kwacha, shortDay } from '../../lib/format'
import { payByLabel } from '../../lib/pay-by'
import { dateAndTime } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Card, CardBody, CardHeading } from '../../ui/card'

/** The meals from today on. */
export const FamilyMeals = ({ meals }: { meals: readonly UpcomingMeal[] }) => (
  <Card>
    <CardHeading title="Upcoming meals" />
    <CardBody>
      {meals.length === 0 ? (
        <p className="text-muted">No meals are ordered from today on.</p>
      ) : (
        <ul className="divide-y divide-line">
          {meals.map((meal) => (
            <Meal key={meal.id} meal={meal} />
          ))}
        </ul>
      )}
    </CardBody>
  </Card>
)

const Meal = ({ meal }: { meal: UpcomingMeal }) => {
  const isUnpaid = meal.paymentStatus === 'pending'
  return (
    <li className="flex items-start justify-between gap-3 py-2.5">
      <span className="min-w-0">
        <span className="block font-semibold break-words">
          {`${shortDay(meal.mealDate)}: ${meal.menuItem.name} for ${meal.student.name}`}
        </span>
        <span className="block text-sm break-words text-muted">
          {[
            kwacha(meal.price),
            meal.payBy && payByLabel(meal.payBy),
            meal.reference,
            meal.lapsesAt && `lapses ${dateAndTime(meal.lapsesAt)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="flex shrink-0 flex-wrap justify-end gap-1.5">
        {meal.absent ? <Badge tone="info">Absent</Badge> : null}
        <Badge tone={isUnpaid ? 'warning' : 'brand'}>{isUnpaid ? 'Not paid yet' : 'Paid'}</Badge>
      </span>
    </li>
  )
}
