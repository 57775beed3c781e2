import { parseOrderId } from '#kernel/id'
import { slotStream } from './slot/meal-slot'

export { lunchOfLine, menuOfGrade } from './cart/line-policies.decide'
export { portionOrdered, portionReleased, portionReserved } from './portions/portions.decide'
export { lineMessages, linesRefused } from './refusals'
export {
  addedUp,
  keptForOrder,
  moneyBackText,
  originOf,
  owedForOrder,
  type OrderMoney,
} from './slot/money-back.decide'
export * from './slot/events'
export { absentAtHatch, lunchGiven, markNotKept, markUndone, problemAtHatch } from './slot/lunch-marks'

export const streamsOfOrders = (orderIds: readonly string[]): string[] => [
  ...new Set(orderIds.flatMap((id) => parseOrderId(id)?.lunch ?? []).map(slotStream)),
]

export * from './plan/events'
export { weekOf, type PlanState, type WeekKept } from './plan/plan.decide'
export { firstWeek, announcedBeforeMs, hourOf, isHourAllowed, weekOrderedOn } from './plan/plan-hours.decide'
export { cartLineOf, leftMessages } from './plan/plan-week.decide'
