import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: booksStatuses } = refusalTable({
  receipt_not_found: [404, 'Receipt not found'],
  day_not_over: [409, 'This day is not over yet. Close it afterwards'],
  day_closed: [409, 'This day is already closed'],
  books_behind: [503, 'The books are still being written. Please try again in a moment.'],
  parent_not_found: [404, 'Parent not found'],
  parent_missing: [422, 'Please say whose account it is'],
  closing_not_found: [404, 'This day was not closed'],
  days_open: [409, 'Close every day of this month with bookings first'],
  accounts_missing: [409, 'Set these account numbers in Settings first'],
  no_such_part: [404, 'The file of this month has no such part'],
  settlement_not_found: [404, 'Settlement not found'],
})
