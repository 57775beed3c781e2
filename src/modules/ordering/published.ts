export * from './portions/events'
export * from './slot/events'
export * from './slot/mark-events'
