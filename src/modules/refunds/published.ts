/** The events that other contexts may read: what is owed back, and what went back. */
export { refundDue, refundPaidBack, refundWithdrawn } from './refund'
