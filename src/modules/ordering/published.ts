/** Events other contexts may read. */
export * from './portions/events'
export * from './slot/events'
export * from './slot/mark-events'
