import { dayName, shortDay, wholeNumber } from '../../../lib/format'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { dishesByDay, type KitchenDay } from './kitchen-groups'

/** Dishes by day, before the days themselves. */
export const WeekTable = ({ days }: { days: readonly KitchenDay[] }) => {
  const totals = days.map(({ total }) => total)
  return (
    <Card className="print:hidden">
      <CardHeading title="The week" hint="Lunches by dish and day" />
      <CardBody>
        <Table label="Dishes of the week">
          <TableHead>
            <tr>
              <HeadCell className="sticky left-0 bg-sand-50">Menu Item</HeadCell>
              {days.map(({ key, dayOfWeek, mealDate }) => (
                <HeadCell key={key} className="px-2! text-right">
                  {dayName(dayOfWeek).slice(0, 3)}
                  <span className="block font-normal">{shortDay(mealDate).slice(4)}</span>
                </HeadCell>
              ))}
              <HeadCell className="text-right">Total</HeadCell>
            </tr>
          </TableHead>
          <TableBody>
            {dishesByDay(days).map(({ key, name, counts, total }) => (
              <tr key={key} className="bg-surface">
                <Cell className="sticky left-0 min-w-36 bg-inherit font-semibold">{name}</Cell>
                <Counts counts={counts} total={total} />
              </tr>
            ))}
            <tr className="bg-sand-50 font-semibold">
              <Cell className="sticky left-0 bg-inherit">Total</Cell>
              <Counts counts={totals} total={totals.reduce((sum, count) => sum + count, 0)} />
            </tr>
          </TableBody>
        </Table>
      </CardBody>
    </Card>
  )
}

const Counts = ({ counts, total }: { counts: readonly number[]; total: number }) => (
  <>
    {counts.map((count, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- a place is a day
      <Cell key={at} className="money text-right">
        {count === 0 ? '–' : wholeNumber(count)}
      </Cell>
    ))}
    <Cell className="money text-right font-semibold">{wholeNumber(total)}</Cell>
  </>
)
