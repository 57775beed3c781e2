/** What siblings may hear: how a checkout went. */
export { checkoutRefused, checkoutStarted, linesReleased, ordersCreated } from './payment-attempt'
