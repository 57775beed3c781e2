import type { Refund } from '#contracts/refunds'
import { capitalised, gradeLabel, kwacha } from '../../lib/format'
import { schoolDay } from '../../lib/school-moment'
import { Badge, type Tone } from '../../ui/badge'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { StackedCell, StackedRow } from '../../ui/stacked-table'

type RefundRowProps = { refund: Refund; onComplete: () => void; onHistory: () => void }

/** One sum that is owed back or was paid back. */
export const RefundRow = ({ refund, onComplete, onHistory }: RefundRowProps) => (
  <StackedRow>
    <StackedCell width="most" className="@max-4xl:order-1 @max-4xl:text-muted">
      <time dateTime={refund.orderDate} className="money">
        {schoolDay(refund.orderDate)}
      </time>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <span className="font-semibold break-words">{refund.student.name}</span>{' '}
      <span className="text-xs text-muted @4xl:block">{gradeLabel(refund.student.grade)}</span>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <span className="break-words">{refund.menuItem.name}</span>
      <span className="block text-xs break-words text-muted">
        {`${refund.reason}, since ${schoolDay(refund.dueSince)}`}
      </span>
    </StackedCell>
    <StackedCell width="third" className="text-right font-semibold @max-4xl:order-2">
      <span className="money">{kwacha(refund.amount)}</span>
    </StackedCell>
    <StackedCell width="half" className="@max-4xl:order-4 @max-4xl:py-3!">
      <Badge tone={tones[refund.status]}>{capitalised(refund.status)}</Badge>
    </StackedCell>
    <StackedCell width="half" className="@max-4xl:order-5">
      <div className="flex items-center justify-end">
        <IconButton
          icon="history"
          label={`History of ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={onHistory}
        />
      </div>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-6 @4xl:w-px">
      {refund.allowed.complete ? (
        <Button
          size="sm"
          className="w-full whitespace-nowrap"
          aria-label={`Mark as Refunded: ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={onComplete}
        >
          Mark as Refunded
        </Button>
      ) : null}
    </StackedCell>
  </StackedRow>
)

const tones: Record<Refund['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}
