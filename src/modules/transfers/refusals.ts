import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: transfersStatuses } = refusalTable({
  parent_not_found: [404, 'Family not found'],
  may_not_confirm: [403, 'Only administrators with Pending Payments can record money as received'],
  order_not_found: [404, 'Order not found'],
  already_paid: [409, 'This order is already paid for'],
  short: [409, 'This is less than the meals cost'],
  surplus_to: [422, 'Choose the family that gets the overpayment as credit'],
  meal_eaten: [409, 'One of its meals has already been served'],
  refunded: [409, 'Part of this payment was refunded or used as credit, so it cannot be undone'],
  not_today: [409, 'Only payments verified today can be taken back here'],
  part_of_row: [409, 'This row of a statement pays for other meals too: undo it under Statements'],
  row_not_found: [404, 'Row not found'],
  row_counted: [409, 'This row is a payment already'],
  facts_missing: [422, 'The row does not say all that a payment needs'],
  row_ignored: [409, 'This row is ignored'],
  no_match: [409, 'No unpaid meal matches this line any more'],
  row_twice: [422, 'This row is in the request twice'],
  row_confirmed: [409, 'This transaction has already been used for a payment'],
  not_a_transaction_id: [422, 'This is not a transaction id. Leave the field empty if there is none.'],
  row_on_statement: [409, 'This transaction is on a statement. Confirm it there'],
  undone_since: [409, 'This confirmation has since been undone'],
  own_account_unclear: [
    422,
    'We cannot tell which account in this file is yours. Enter its number under Settings, Payment Settings, or upload a statement that covers more days.',
  ],
  statement_not_found: [404, 'Statement not found'],
})
