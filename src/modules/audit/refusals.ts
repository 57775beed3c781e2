import { Refusal } from '#kernel/refusal'

type AuditRefusal = 'attempt_not_found' | 'order_not_found' | 'not_an_export'

export const auditStatuses = {
  attempt_not_found: 404,
  order_not_found: 404,
  not_an_export: 422,
} satisfies Record<AuditRefusal, number>

const messages: Record<AuditRefusal, string> = {
  attempt_not_found: 'Payment attempt not found',
  order_not_found: 'Order not found',
  not_an_export:
    'This file is no export of the history: it has no columns Number and Hash with anything in them',
}

export const refusal = (code: AuditRefusal): Refusal<AuditRefusal> => new Refusal(code, messages[code])
