/** `title`: "mary, K90.00". */
export type HistorySubject = { of: 'attempt' | 'order'; id: string; title: string }

const orderId = /^\d+\.\d{4}-\d{2}-\d{2}\.\d+$/

/** An order's id, or `<attempt id>.<line>`. */
export const subjectOfRefund = (id: string, title: string): HistorySubject =>
  orderId.test(id) ? { of: 'order', id, title } : { of: 'attempt', id: id.replace(/\.\d+$/, ''), title }
