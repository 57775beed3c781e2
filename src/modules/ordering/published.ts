export { portionOrdered, portionReleased, portionReserved } from './portions/portions.decide'
export * from './slot/events'
export * from './slot/mark-events'
