/** The events that other contexts may read: everything that happens to a checkout and its money, and to transfers. */
export * from './attempt/events'
export { transferConfirmed, transferUndone } from './transfers/events'
