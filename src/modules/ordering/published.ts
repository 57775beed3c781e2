/** The events that other contexts may read: everything that happens to a meal slot and its orders. */
export * from './slot/events'
