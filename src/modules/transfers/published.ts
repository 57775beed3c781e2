export { isByHand, transferConfirmed, transferUndone } from './events'
