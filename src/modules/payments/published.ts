/** The events that other contexts may read: everything that happens to a checkout and its money, and to transfers. */
export * from './attempt/events'
export { unpaidMealsCounted } from './checkout/events'
export { isByHand, transferConfirmed, transferUndone } from './transfers/events'
