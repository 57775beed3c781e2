import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: auditStatuses } = refusalTable({
  attempt_not_found: [404, 'Payment attempt not found'],
  order_not_found: [404, 'Order not found'],
  not_an_export: [
    422,
    'This file is no export of the history: it has no columns Number and Hash with anything in them',
  ],
})
