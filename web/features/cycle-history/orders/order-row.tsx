import type { CycleOrder } from '#contracts/cycle-orders'
import { classes } from '../../../lib/classes'
import { gradeLabel, kwacha } from '../../../lib/format'
import { schoolClock, schoolDay } from '../../../lib/school-moment'
import { Badge } from '../../../ui/badge'
import { Checkbox } from '../../../ui/checkbox'
import { IconButton } from '../../../ui/icon-button'
import { StackedCell, StackedRow } from '../../../ui/stacked-table'
import { itemsOf, statusLabels, statusTones, titleOf, weekAndDay } from '../order-words'
import { OldPrice } from '../../../ui/old-price'

type OrderRowProps = {
  order: CycleOrder
  chosen: boolean
  busy: boolean
  onSwitch: () => void
  onHistory: () => void
}

/** Two lines of three values where there is room for more than a phone's. */
const thirdOnTablet = '@xl:@max-4xl:col-span-2!'

/** One order of the history. */
export const OrderRow = ({ order, chosen, busy, onSwitch, onHistory }: OrderRowProps) => (
  <StackedRow
    className={classes('@max-4xl:grid-cols-[auto_repeat(5,minmax(0,1fr))]!', chosen && 'bg-brand-50!')}
  >
    <StackedCell
      width="third"
      className="py-1.5! @max-4xl:order-1 @max-4xl:col-span-1! @max-4xl:py-0! @4xl:w-px"
    >
      <Checkbox
        label={`Select ${titleOf(order)}`}
        hideLabel
        checked={chosen}
        disabled={busy}
        onChange={onSwitch}
        className="min-h-11! min-w-9"
      />
    </StackedCell>
    <StackedCell width="most" className="@max-4xl:order-2 @max-4xl:self-center">
      <time dateTime={order.orderDate} className="money @max-4xl:text-muted">
        <span className="whitespace-nowrap">{schoolDay(order.orderDate)}</span>{' '}
        <span className="@4xl:block @4xl:text-muted">{schoolClock(order.orderDate)}</span>
      </time>
    </StackedCell>
    <StackedCell width="full" className={classes(thirdOnTablet, '@max-4xl:order-4')}>
      <span className="font-semibold break-words">{order.student.name}</span>{' '}
      <span className="text-xs text-muted @4xl:block">{gradeLabel(order.student.grade)}</span>
    </StackedCell>
    <StackedCell width="full" className={classes(thirdOnTablet, 'break-words @max-4xl:order-5')}>
      {itemsOf(order)}
    </StackedCell>
    <StackedCell width="half" label="Week and day" className={classes(thirdOnTablet, '@max-4xl:order-7')}>
      {weekAndDay(order)}
    </StackedCell>
    <StackedCell width="full" className={classes(thirdOnTablet, '@max-4xl:order-6')}>
      <OrderDetails order={order} />
    </StackedCell>
    <StackedCell
      width="half"
      label="Price"
      className={classes(thirdOnTablet, '@max-4xl:order-8 @4xl:text-right')}
    >
      <OrderPrice order={order} />
    </StackedCell>
    <StackedCell width="full" className={classes(thirdOnTablet, '@max-4xl:order-9 @xl:self-center')}>
      <Badge tone={statusTones[order.status]}>{statusLabels[order.status]}</Badge>
    </StackedCell>
    <StackedCell
      width="third"
      className="px-0! py-1.5! @max-4xl:order-3 @max-4xl:col-span-1! @max-4xl:py-0! @max-4xl:text-right @4xl:w-px"
    >
      <IconButton icon="history" label={`History of ${titleOf(order)}`} onClick={onHistory} />
    </StackedCell>
  </StackedRow>
)

const OrderDetails = ({ order: { category, sideDish, comments } }: { order: CycleOrder }) => {
  const chosen = [category, sideDish].filter(Boolean).join(' · ')
  return (
    <div className="text-sm break-words empty:hidden">
      {chosen ? <p className="first-letter:uppercase">{chosen}</p> : null}
      {comments ? <p className="text-xs text-muted">{`“${comments}”`}</p> : null}
    </div>
  )
}

const OrderPrice = ({ order }: { order: CycleOrder }) => (
  <span className="money font-semibold">
    {order.originalPrice > order.discountedPrice ? (
      <OldPrice price={order.originalPrice} className="font-normal text-muted @4xl:block @max-4xl:mr-1.5" />
    ) : null}
    {kwacha(order.discountedPrice)}
    {order.paymentStatus === 'pending' ? (
      <span className="block text-xs font-normal text-warning-700">Not paid yet</span>
    ) : null}
  </span>
)
