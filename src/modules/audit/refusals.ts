import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: auditStatuses } = refusalTable({
  attempt_not_found: [404, 'Payment attempt not found'],
  order_not_found: [404, 'Order not found'],
  not_an_export: [
    422,
    'This file is not an export of the history: its Number and Hash columns are missing or empty',
  ],
})
