/** The events that other contexts may read: what transfers paid for, and what was taken back. */
export { isByHand, transferConfirmed, transferUndone } from './confirmations/events'
