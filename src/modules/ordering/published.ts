/** The events that other contexts may read: everything that happens to a meal slot and its orders, and to portions. */
export * from './portions/events'
export * from './slot/events'
export * from './slot/mark-events'
