import {
  portionOrdered,
  portionReleased,
  portionReserved,
  portionStream,
} from '#modules/ordering/portions/portions.decide'
import { portionReservationsView } from '#modules/ordering/portions/portions.view'
import { fold, specificationOf } from '../support/given-when-then'
import { viewSpec } from '../support/view-spec'
import { after, attempt, monday7, otherAttempt } from './lunches'

const portions = specificationOf(portionStream)
const iso = (minute: number) => after(monday7, minute).toISOString()
const day = { menuItemId: 3, date: '2026-09-15' }
const [chanda, bupe] = [118, 119]

const about = (studentId: number, attemptId: string, minute: number) => ({
  ...day,
  studentId,
  attemptId,
  at: iso(minute),
})
const ordered = (studentId: number, minute = 0, attemptId = attempt) =>
  portionOrdered(about(studentId, attemptId, minute))
const reserved = (studentId: number, untilMinute: number, minute = 0, attemptId = attempt) =>
  portionReserved({ ...about(studentId, attemptId, minute), until: iso(untilMinute) })
const released = (studentId: number, minute: number, attemptId = attempt) =>
  portionReleased(about(studentId, attemptId, minute))

type Take = Extract<Parameters<typeof portionStream.decide>[0], { kind: 'take' }>
const take = (minute: number, more: Partial<Take> = {}): Take => ({
  kind: 'take',
  itemId: 3,
  date: '2026-09-15',
  studentId: chanda,
  attemptId: attempt,
  until: null,
  limit: 1,
  standing: new Set(),
  hanging: new Set(),
  now: after(monday7, minute),
  ...more,
})
const give = (minute: number, attemptId = attempt) =>
  ({
    kind: 'give',
    itemId: 3,
    date: '2026-09-15',
    studentId: chanda,
    attemptId,
    now: after(monday7, minute),
  }) as const

describe('taking a portion', () => {
  test('while there is one it is had', () => portions.given().when(take(1)).then(ordered(chanda, 1)))
  test('a checkout that is paid for later holds it', () =>
    portions
      .given()
      .when(take(1, { until: iso(30) }))
      .then(reserved(chanda, 30, 1)))
  test("another child's order stands in the way", () =>
    portions.given(ordered(bupe)).when(take(1)).refused('sold_out'))
  test('so does a reservation', () => portions.given(reserved(bupe, 30)).when(take(29)).refused('sold_out'))
  test('one that has lapsed does not', () =>
    portions.given(reserved(bupe, 30)).when(take(30)).then(ordered(chanda, 30)))
  test('one that was given back does not', () =>
    portions.given(ordered(bupe), released(bupe, 1)).when(take(2)).then(ordered(chanda, 2)))
  test('an order from before there was a limit does', () =>
    portions
      .given()
      .when(take(1, { standing: new Set([bupe]) }))
      .refused('sold_out'))
  test('one that stands in both counts once', () =>
    portions
      .given(ordered(bupe))
      .when(take(1, { limit: 2, standing: new Set([bupe]) }))
      .then(ordered(chanda, 1)))
  test("the child's own order that the list still shows does not", () =>
    portions
      .given()
      .when(take(1, { standing: new Set([chanda]) }))
      .then(ordered(chanda, 1)))
})

describe('a portion that one has', () => {
  test('becomes that of the order, also below a limit that was lowered', () =>
    portions.given(reserved(bupe, 30), reserved(chanda, 30)).when(take(5)).then(ordered(chanda, 5)))
  test('is held for longer', () =>
    portions
      .given(reserved(chanda, 30))
      .when(take(5, { until: iso(40) }))
      .then(reserved(chanda, 40, 5)))
  test('is held already', () =>
    portions
      .given(reserved(chanda, 30))
      .when(take(5, { until: iso(30) }))
      .nothingHappens())
  test('is not taken twice', () => portions.given(ordered(chanda)).when(take(1)).nothingHappens())
  test('is told again when its order is appended later', () =>
    portions.given(ordered(chanda)).when(take(2)).then(ordered(chanda, 2)))
  test('is gone when its reservation has lapsed and another took it', () =>
    portions
      .given(reserved(chanda, 30), reserved(bupe, 60, 31, otherAttempt))
      .when(take(32))
      .refused('sold_out'))
})

test('a portion that a crash left behind is given back before the next one takes it', () => {
  const past = [ordered(bupe, 0, otherAttempt)]
  const state = fold(portionStream, past)
  const hanging = new Set([state.get(bupe)!])
  expect(portionStream.decide(take(20, { hanging }), state)).toEqual([
    released(bupe, 20, otherAttempt),
    ordered(chanda, 20),
  ])
})

describe('giving a portion back', () => {
  test('whoever has it gives it back', () =>
    portions.given(ordered(chanda)).when(give(1)).then(released(chanda, 1)))
  test('once', () => portions.given(ordered(chanda), released(chanda, 1)).when(give(2)).nothingHappens())
  test('nobody gives what another attempt has', () =>
    portions.given(ordered(chanda)).when(give(1, otherAttempt)).nothingHappens())
})

test('the list of reservations knows those that neither became an order nor were given back', () =>
  viewSpec(portionReservationsView)
    .given(
      reserved(chanda, 30),
      reserved(bupe, 30),
      ordered(bupe, 1),
      reserved(120, 30),
      released(120, 2),
      reserved(chanda, 40, 3),
    )
    .thenRows([{ id: '3.2026-09-15.118', item_id: 3, date: '2026-09-15', student_id: 118, until: iso(40) }]))
