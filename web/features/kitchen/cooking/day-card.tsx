import type { KitchenTotal } from '#contracts/kitchen'
import { counted, dayName, wholeNumber } from '../../../lib/format'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { dateOf, type KitchenDay } from './kitchen-groups'
import { HealthOfDay, type KitchenHealth } from './health-of-day'
import { LateChanges } from './late-changes'
import { PortionTable } from './portion-table'

type DayCardProps = {
  day: KitchenDay
  /** Of those who eat on this day. */
  health: KitchenHealth
  chosen: ReadonlySet<string>
  /** The rows that are other than a minute ago. */
  changed: ReadonlySet<string>
  onToggle: (row: KitchenTotal) => void
  onList: () => void
}

/** One day: what it adds up to, then the primary and the secondary portions. On paper each is a sheet of its own. */
export const DayCard = ({ day, health, onList, ...choice }: DayCardProps) => (
  <Card className="print:not-first:break-before-page">
    <CardHeading
      title={dateOf(day)}
      actions={
        <>
          <Badge tone="accent">{counted(day.total, 'portion')}</Badge>
          {day.completed > 0 ? <Badge tone="brand">{`${wholeNumber(day.completed)} completed`}</Badge> : null}
          {day.unpaid > 0 ? <Badge tone="warning">{`${wholeNumber(day.unpaid)} unpaid`}</Badge> : null}
          {day.absent > 0 ? <Badge tone="info">{`${wholeNumber(day.absent)} absent`}</Badge> : null}
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
    <CardBody className="flex flex-col gap-6 print:block">
      <HealthOfDay {...health} />
      <LateChanges date={day.mealDate} />
      {day.primary.length > 0 ? (
        <PortionTable
          title="Primary Portions"
          day={dayName(day.dayOfWeek)}
          date={dateOf(day)}
          rows={day.primary}
          {...choice}
        />
      ) : null}
      {day.secondary.length > 0 ? (
        <PortionTable
          title="Secondary Portions"
          day={dayName(day.dayOfWeek)}
          date={dateOf(day)}
          rows={day.secondary}
          {...choice}
        />
      ) : null}
    </CardBody>
  </Card>
)
