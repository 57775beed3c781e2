import { lunchReserved, reservationReleased } from '#modules/ordering/slot/events'
import { after, attempt, monday7, ordered, otherAttempt, tuesdayPlace } from './lunches'
import {
  slot,
  iso,
  reserved,
  completed,
  cancelled,
  withdrawn,
  order,
  reserve,
  release,
  withdraw,
} from './slot-words'

describe('reserving a day while it is paid for', () => {
  test('a free day is reserved', () => slot.given().when(reserve(0, 30)).then(reserved(30)))
  test('a longer wish of the same attempt renews the reservation', () =>
    slot
      .given(reserved(30))
      .when(reserve(1, 40))
      .then(lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: iso(40), at: iso(1) })))
  test('asking again for what is already held changes nothing', () =>
    slot.given(reserved(30)).when(reserve(1, 30)).nothingHappens())
  test("another attempt's reservation stands in the way", () =>
    slot.given(reserved(30, otherAttempt)).when(reserve(29, 60)).refused('day_reserved'))
  test("another attempt's reservation that has run out counts as free", () =>
    slot
      .given(reserved(30, otherAttempt))
      .when(reserve(30, 60))
      .then(lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: iso(60), at: iso(30) })))
  test('a day with an order cannot be reserved', () =>
    slot
      .given(ordered(1, monday7))
      .when(reserve(1, 30, otherAttempt))
      .refused('already_ordered'))
  test('the attempt whose order it is holds the day already', () =>
    slot.given(ordered(1, monday7)).when(reserve(1, 30)).nothingHappens())
})

describe('releasing a reservation', () => {
  test('the attempt gives its day back', () =>
    slot
      .given(reserved(30))
      .when(release())
      .then(reservationReleased({ ...tuesdayPlace, attemptId: attempt, at: iso(5) })))
  test("another attempt's reservation stays", () =>
    slot.given(reserved(30, otherAttempt)).when(release()).nothingHappens())
  test('a released day is free for the next', () =>
    slot
      .given(
        reserved(30, otherAttempt),
        reservationReleased({ ...tuesdayPlace, attemptId: otherAttempt, at: iso(1) }),
      )
      .when(order(2))
      .then(ordered(1, after(monday7, 2))))
  test('nothing to release', () => slot.given().when(release()).nothingHappens())
  test('an order is not released', () => slot.given(ordered(1, monday7)).when(release()).nothingHappens())
})

describe('ordering', () => {
  test('a free day takes the first order', () => slot.given().when(order(0)).then(ordered(1, monday7)))
  test('the own reservation becomes the order, even after it has run out', () =>
    slot
      .given(reserved(30))
      .when(order(31))
      .then(ordered(1, after(monday7, 31))))
  test("another attempt's reservation stands in the way until it has run out", () => {
    slot.given(reserved(30, otherAttempt)).when(order(29)).refused('day_reserved')
    slot
      .given(reserved(30, otherAttempt))
      .when(order(30))
      .then(ordered(1, after(monday7, 30)))
  })
  test('a second order for the same day is refused', () =>
    slot.given(ordered(1, monday7)).when(order(1, otherAttempt)).refused('already_ordered'))
  test('a completed order holds the day as well', () =>
    slot.given(ordered(1, monday7), completed()).when(order(2, otherAttempt)).refused('already_ordered'))
  test('two lines of one attempt cannot both have the day', () =>
    slot
      .given(ordered(1, monday7, { line: { index: 4 } }))
      .when(order(1))
      .refused('already_ordered'))
  test('the same line asked again is the order it already is', () =>
    slot.given(ordered(1, monday7)).when(order(1)).nothingHappens())
  test('a line whose order was cancelled since is not ordered a second time', () =>
    slot.given(ordered(1, monday7), cancelled()).when(order(2)).nothingHappens())
  test('after a cancellation the next order counts on', () =>
    slot
      .given(ordered(1, monday7), cancelled())
      .when(order(2, otherAttempt))
      .then(ordered(2, after(monday7, 2), { attemptId: otherAttempt })))
  test('a withdrawn order leaves the day free and its number used', () =>
    slot
      .given(ordered(1, monday7), withdrawn())
      .when(order(2, otherAttempt))
      .then(ordered(2, after(monday7, 2), { attemptId: otherAttempt })))
})

describe('withdrawing what a checkout could not complete', () => {
  test("the attempt's order is taken back", () =>
    slot.given(ordered(1, monday7)).when(withdraw()).then(withdrawn()))
  test("another attempt's order stays", () =>
    slot.given(ordered(1, monday7)).when(withdraw(otherAttempt)).nothingHappens())
  test('again changes nothing', () =>
    slot.given(ordered(1, monday7), withdrawn()).when(withdraw()).nothingHappens())
})
