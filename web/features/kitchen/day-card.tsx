import type { KitchenTotal } from '#contracts/ordering'
import { counted, dayAndMonth, dayName } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import type { KitchenDay } from './kitchen-groups'
import { PortionTable } from './portion-table'

type DayCardProps = {
  day: KitchenDay
  chosen: ReadonlySet<string>
  onToggle: (row: KitchenTotal) => void
  onList: () => void
}

/** One day: what it adds up to, then the primary and the secondary portions. */
export const DayCard = ({ day, onList, ...choice }: DayCardProps) => (
  <Card className="break-inside-avoid-page print:mb-6 print:border-0 print:shadow-none">
    <CardHeading
      title={`${dayName(day.dayOfWeek)}, ${dayAndMonth(day.mealDate)}`}
      actions={
        <>
          <Badge tone="accent">{counted(day.total, 'portion')}</Badge>
          {day.completed > 0 ? <Badge tone="brand">{`${day.completed} completed`}</Badge> : null}
          {day.unpaid > 0 ? <Badge tone="warning">{`${day.unpaid} unpaid`}</Badge> : null}
          {day.cancelledLate > 0 ? (
            <Badge tone="danger">{`${day.cancelledLate} cancelled late`}</Badge>
          ) : null}
          <Button
            variant="secondary"
            size="sm"
            icon="list"
            className="print:hidden"
            aria-label={`Class lists of ${dayName(day.dayOfWeek)}`}
            onClick={onList}
          >
            Class lists
          </Button>
        </>
      }
    />
    <CardBody className="flex flex-col gap-6">
      {day.primary.length > 0 ? (
        <PortionTable title="Primary Portions" day={dayName(day.dayOfWeek)} rows={day.primary} {...choice} />
      ) : null}
      {day.secondary.length > 0 ? (
        <PortionTable
          title="Secondary Portions"
          day={dayName(day.dayOfWeek)}
          rows={day.secondary}
          {...choice}
        />
      ) : null}
    </CardBody>
  </Card>
)
