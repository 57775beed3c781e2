import { rowView } from '#platform/projections/row-view'
import { evolveOrder, orderEventTypes } from './order'

/** One row per order, for every list, the kitchen and the books. A withdrawn order has no row. */
export const ordersView = rowView({
  table: 'ordering.orders',
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
    cancelled_late: 'boolean',
  },
  primaryKey: 'id',
  events: orderEventTypes,
  key: ({ data }) => data.orderId,
  evolve: evolveOrder,
})
