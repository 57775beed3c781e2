export * from './attempt/events'
export { unpaidMealsCounted } from './checkout/events'
