/** What siblings may hear: everything that happens to a meal slot and its orders. */
export * from './slot/events'
