import { rowView } from '#platform/projections/row-view'
import {
  lunchOrdered,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
} from '../slot/meal-slot'
import { evolveOrder, placedOrder } from './order'
import type { OrderRow } from './order'

/** One row per order, for every list, the kitchen and the books. A withdrawn order has no row. */
export const ordersView = rowView<OrderRow>({
  name: 'ordering-orders',
  table: 'ordering.orders',
  key: 'id',
  columns: {
    id: 'text',
    attempt_id: 'uuid',
    line: 'integer',
    user_id: 'integer',
    student_id: 'integer',
    student_name: 'text',
    student_grade: 'text',
    cycle_id: 'integer',
    week: 'smallint',
    day: 'smallint',
    meal_date: 'date',
    cutoff_at: 'timestamptz',
    item_id: 'integer',
    item_name: 'text',
    item_type: 'text',
    category: 'text',
    side_dish: 'text',
    comments: 'text',
    original_price: 'integer',
    price: 'integer',
    discount_percentage: 'double precision',
    status: 'text',
    payment_status: 'text',
    placed_at: 'timestamptz',
    cancelled_at: 'timestamptz',
    cancelled_late: 'boolean',
  },
})

const orderOf = ({ data }: { data: { orderId: string } }) => data.orderId

ordersView
  .anew(lunchOrdered, orderOf, ({ data }) => placedOrder(data))
  .on(orderCompleted, orderOf, (row, { data }) => evolveOrder(row, { type: orderCompleted.type, data }))
  .on(orderReopened, orderOf, (row, { data }) => evolveOrder(row, { type: orderReopened.type, data }))
  .on(orderCancelled, orderOf, (row, { data }) => evolveOrder(row, { type: orderCancelled.type, data }))
  .on(orderWithdrawn, orderOf, (row, { data }) => evolveOrder(row, { type: orderWithdrawn.type, data }))
  .on(orderRefunded, orderOf, (row, { data }) => evolveOrder(row, { type: orderRefunded.type, data }))
  .on(orderPaymentConfirmed, orderOf, (row, { data }) =>
    evolveOrder(row, { type: orderPaymentConfirmed.type, data }),
  )
