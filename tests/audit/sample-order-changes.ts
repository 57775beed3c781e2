import type { DomainEvent } from '#kernel/event'
import {
  absenceMarked,
  absenceTakenBack,
  absentAtHatch,
  lunchGiven,
  lunchMovedHere,
  markNotKept,
  markUndone,
  orderChanged,
  problemAtHatch,
} from '#modules/ordering/published'

const orderId = '118.2026-09-22.1'
const at = '2026-09-15T06:00:00.000Z'
const stew = {
  item: { id: 3, name: 'Stew', type: 'primary' as const },
  category: 'beef',
  sideDish: 'Rice',
  comments: '',
  originalPrice: 4500,
  price: 4500,
  discountPercentage: 0,
}
const soup = { ...stew, item: { ...stew.item, id: 4, name: 'Soup' }, originalPrice: 3000, price: 3000 }
const changeId = '0199c0de-0000-7000-8000-0000000000d1'

const slot = { cycleId: 7, studentId: 118, week: 2, day: 4 }
const mealDate = '2026-09-24'
const moved = { from: '2026-09-22', slot, mealDate, as: '118.2026-09-24.1' }

const markId = '0199c0de-0000-7000-8000-0000000000e1'
const told = { orderId, userId: 21, markId, by: 7, note: 'Call 0977123456', deviceAt: at, at }

/** A change that is of the day. */
export const movedSample = orderChanged({
  orderId,
  changeId,
  by: 'administrator',
  meal: stew,
  old: stew,
  closes: { cutoffAt: '2026-09-24T06:00:00.000Z' },
  moved,
  at,
})

/** What families do with an order that stands, and what is told of it at the hatch, with the sentence that the history tells of it. */
export const orderChangeSamples: readonly [event: DomainEvent, sentence: string][] = [
  [
    orderChanged({ orderId, changeId, by: 'parent', meal: soup, old: stew, at }),
    'Order changed by the parent from Stew to Soup',
  ],
  [
    lunchMovedHere({ slot, mealDate, orderId, as: moved.as, changeId, until: at, at }),
    'Kept 2026-09-24 (week 2, Thursday) for the lunch of {student:118} that is moved there',
  ],
  [absenceMarked({ orderId, credit: 4500, at }), 'The child is ill and does not eat the meal'],
  [absenceTakenBack({ orderId, at }), 'The child eats the meal after all'],
  [lunchGiven(told), 'Lunch given out'],
  [absentAtHatch(told), 'The hatch says: the child is absent'],
  [problemAtHatch(told), 'The hatch says: there is a problem'],
  [markUndone({ ...told, undoes: markId }), 'A mark of the hatch is taken back'],
  [
    markNotKept({
      ...told,
      kind: 'absent',
      undoes: null,
      result: 'conflict',
      other: { markId, kind: 'given', by: 7, deviceAt: at },
    }),
    'The hatch said "absent", which changed nothing: "given" counts, marked by {user:7}',
  ],
]
