import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: transfersStatuses } = refusalTable({
  order_not_found: [404, 'Order not found'],
  already_paid: [409, 'This order is already paid for'],
  short: [409, 'This is less than the meals cost'],
  surplus_to: [422, 'Choose the family that gets the overpayment as credit'],
  meal_eaten: [409, 'One of its meals has already been served'],
  refunded: [409, 'Money of it was given back, or settled with the credit of the family'],
  not_today: [409, 'Only what was verified today can be taken back here'],
  part_of_row: [409, 'This row of a statement pays for other meals too: undo it under Statements'],
  row_not_found: [404, 'There is no such row'],
  row_ignored: [409, 'This row is ignored'],
  no_match: [409, 'No unpaid meal matches this line any more'],
  row_twice: [422, 'This row was named twice'],
  row_confirmed: [409, 'This transaction has paid already'],
  not_a_transaction_id: [422, 'This is no transaction id. Leave the field empty where there is none.'],
  row_on_statement: [409, 'This transaction stands on a statement; confirm it there'],
  undone_since: [409, 'This confirmation has since been undone'],
  mapping_needed: [422, 'Match the columns of this file'],
  own_account_unclear: [
    422,
    'Nobody can tell which account of this file is yours. Write its number under Settings, Payment Settings, or upload a statement of more days.',
  ],
  statement_not_found: [404, 'Statement not found'],
})
