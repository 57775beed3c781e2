/** What siblings may hear: what is owed back, and what went back. */
export { refundDue, refundPaidBack, refundWithdrawn } from './refund'
