export { portionOrdered, portionReleased, portionReserved } from './portions/portions.decide'
export * from './slot/events'
export { absentAtHatch, lunchGiven, markNotKept, markUndone, problemAtHatch } from './slot/lunch-marks'
