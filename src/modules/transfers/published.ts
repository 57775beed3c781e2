export { isByHand, transferConfirmed, transferUndone } from './confirmations/events'
