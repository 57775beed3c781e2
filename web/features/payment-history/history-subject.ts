/** Whose history is asked for; `title` says it in words: "mary, K90.00". */
export type HistorySubject = { of: 'attempt' | 'order'; id: string; title: string }

const orderId = /^\d+\.\d{4}-\d{2}-\d{2}\.\d+$/

/** A refund belongs to an order, or to a line of an attempt: `<attempt id>.<line>`. */
export const subjectOfRefund = (id: string, title: string): HistorySubject =>
  orderId.test(id) ? { of: 'order', id, title } : { of: 'attempt', id: id.replace(/\.\d+$/, ''), title }
