/** The events that other contexts may read: everything that happens to a checkout and its money. */
export * from './attempt/events'
export { unpaidMealsCounted } from './checkout/events'
