import type { AuditEntry, AuditKind } from '#contracts/audit'

/** Asks for the history of what an entry is about. */
export type OnHistory = (asked: { of: 'attempt' | 'order'; id: string; title: string }) => void

export const kindLabels: Record<AuditKind, string> = {
  checkout: 'Checkout',
  provider: 'Card provider',
  payment: 'Payment',
  recovery: 'Recovery',
  order: 'Order',
  refund: 'Refund',
}

/** The order or payment whose whole history explains an entry; null where there is none. */
export const subjectOf = (
  entry: AuditEntry,
): { of: 'attempt' | 'order'; id: string; name: string } | null => {
  if (entry.orderId) return { of: 'order', id: entry.orderId, name: `Order ${entry.orderId}` }
  if (entry.attemptId)
    return { of: 'attempt', id: entry.attemptId, name: `Payment ${entry.attemptId.slice(-12)}` }
  return null
}
