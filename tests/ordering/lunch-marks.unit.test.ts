import { lunchMarksView } from '#modules/ordering/hatch/serving.routes'
import { orderCancelled, orderPaymentConfirmed } from '#modules/ordering/slot/events'
import type { SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { viewSpec } from '../support/view-spec'
import {
  absent,
  completedAt,
  given,
  m,
  noon,
  notKept,
  phone,
  problem,
  reopenedAt,
  otherSession,
  session,
  standing,
  tablet,
  takenBack,
  tells,
  undoes,
} from './hatch-words'
import { after, monday7, ordered, tuesdayBy } from './lunches'
import {
  cancelled as cancelledBefore,
  cancelledLate,
  completed,
  first,
  refunded,
  slot,
  withdrawn,
} from './slot-words'

const later = after(noon, 5)

const placed = ordered(1, monday7)
const byPhone = { by: phone }

describe('what the hatch tells of a lunch', () => {
  test('given out, it is complete', () =>
    slot.given(placed).when(tells('given', 1)).then(given(1), completedAt(noon)))
  test('a complete lunch is given out like any', () =>
    slot.given(placed, completed()).when(tells('given', 1)).then(given(1)))
  test('absent and problem leave its status', () => {
    slot.given(placed).when(tells('absent', 1)).then(absent(1))
    slot
      .given(placed)
      .when(tells('problem', 1, { note: 'dropped' }))
      .then(problem(1, { note: 'dropped' }))
  })
  test('the same mark again changes nothing, whatever came since', () => {
    slot.given(placed, given(1), completedAt(noon)).when(tells('given', 1)).nothingHappens()
    slot
      .given(placed, given(1), completedAt(noon), takenBack(1, 2), reopenedAt(noon))
      .when(tells('given', 1))
      .nothingHappens()
  })
})

describe('two devices', () => {
  test('the same by another one is so already', () => {
    slot
      .given(placed, completed(), given(1))
      .when(tells('given', 2, byPhone))
      .then(notKept(2, { kind: 'given', result: 'already', other: standing(1, 'given') }, byPhone))
    slot
      .given(placed, absent(1))
      .when(tells('absent', 2, byPhone))
      .then(notKept(2, { kind: 'absent', result: 'already', other: standing(1, 'absent') }, byPhone))
    slot
      .given(placed, problem(1))
      .when(tells('problem', 2, { ...byPhone, note: 'cold' }))
      .then(
        notKept(
          2,
          { kind: 'problem', result: 'already', other: standing(1, 'problem') },
          { ...byPhone, note: 'cold' },
        ),
      )
  })
  test.each(['absent', 'problem'] as const)('given beats %s whenever it arrives', (kind) => {
    const noticed = kind === 'absent' ? absent(1) : problem(1)
    slot
      .given(placed, noticed)
      .when(tells('given', 2, byPhone))
      .then(given(2, byPhone), completedAt(noon))
    slot
      .given(placed, completed(), given(2, byPhone))
      .when(tells(kind, 1))
      .then(notKept(1, { kind, result: 'conflict', other: standing(2, 'given', phone) }))
  })
  test('of absent and problem the first stands, whatever the clocks of the devices say', () => {
    slot
      .given(placed, absent(1))
      .when(tells('problem', 2, { ...byPhone, at: after(noon, -60) }))
      .then(
        notKept(
          2,
          { kind: 'problem', result: 'conflict', other: standing(1, 'absent') },
          { ...byPhone, at: after(noon, -60) },
        ),
      )
    slot
      .given(placed, problem(1))
      .when(tells('absent', 2, byPhone))
      .then(notKept(2, { kind: 'absent', result: 'conflict', other: standing(1, 'problem') }, byPhone))
  })
})

describe('taking a mark back', () => {
  test('what it completed is pending again', () =>
    slot
      .given(placed, given(1), completedAt(noon))
      .when(undoes(1, 2, { at: later }))
      .then(takenBack(1, 2, { at: later }), reopenedAt(later)))
  test('what was complete before stays complete', () =>
    slot.given(placed, completed(), given(1)).when(undoes(1, 2)).then(takenBack(1, 2)))
  test('what was changed otherwise since stays as it is', () => {
    const again = [reopenedAt(later), completedAt(later)]
    slot
      .given(placed, given(1), completedAt(noon), reopenedAt(later))
      .when(undoes(1, 2))
      .then(takenBack(1, 2))
    slot
      .given(placed, given(1), completedAt(noon), ...again)
      .when(undoes(1, 2))
      .then(takenBack(1, 2))
  })
  test('the mark that stood before stands again', () =>
    slot
      .given(placed, completed(), absent(1), given(2), takenBack(2, 3))
      .when(tells('problem', 4))
      .then(notKept(4, { kind: 'problem', result: 'conflict', other: standing(1, 'absent') })))
  test('a mark that was beaten is taken out, and the lunch stays given', () => {
    const past = [placed, completed(), absent(1), given(2)]
    slot
      .given(...past)
      .when(undoes(1, 3))
      .then(takenBack(1, 3))
    slot
      .given(...past, takenBack(1, 3))
      .when(tells('absent', 4))
      .then(notKept(4, { kind: 'absent', result: 'conflict', other: standing(2, 'given') }))
    slot
      .given(...past, takenBack(1, 3), takenBack(2, 4))
      .when(tells('problem', 5))
      .then(problem(5))
  })
  test('somebody else may do it', () =>
    slot
      .given(placed, completed(), given(1))
      .when(undoes(1, 2, byPhone))
      .then(takenBack(1, 2, byPhone)))
  test('once', () =>
    slot
      .given(placed, completed(), given(1), takenBack(1, 2))
      .when(undoes(1, 3))
      .then(notKept(3, { kind: 'undone', undoes: m(1), result: 'already' })))
  test('a mark that does not stand because another one does is told of that one', () => {
    const second = notKept(2, { kind: 'given', result: 'already', other: standing(1, 'given') }, byPhone)
    slot
      .given(placed, completed(), given(1), second)
      .when(undoes(2, 3, byPhone))
      .then(
        notKept(
          3,
          { kind: 'undone', undoes: m(2), result: 'conflict', other: standing(1, 'given') },
          byPhone,
        ),
      )
    slot
      .given(placed, completed(), given(1), second, takenBack(1, 4))
      .when(undoes(2, 3, byPhone))
      .then(notKept(3, { kind: 'undone', undoes: m(2), result: 'already' }, byPhone))
  })
  test('a mark that nobody made, none at all, or an undoing cannot be', () => {
    slot.given(placed, absent(1)).when(undoes(7, 9)).refused('mark_not_found')
    slot.given(placed, absent(1)).when(tells('undone', 9)).refused('mark_not_found')
    slot.given(placed, absent(1), takenBack(1, 2)).when(undoes(2, 9)).refused('mark_not_found')
  })
})

describe('given for a lunch that was cancelled', () => {
  const late = cancelledLate({ remedy: 'credit' })
  const cancelled = { by: 'administrator' as const, remedy: 'credit' as const }
  const revived = [reopenedAt(noon), given(1, { cancelled }), completedAt(noon)]
  const stands = [placed, late, ...revived]
  test('after its cutoff, it stands again', () =>
    slot
      .given(placed, late)
      .when(tells('given', 1))
      .then(...revived))
  test('taken back, it is cancelled as it was', () => {
    const again = orderCancelled({ orderId: first, ...cancelled, afterCutoff: true, at: later.toISOString() })
    slot
      .given(...stands)
      .when(undoes(1, 2, { at: later }))
      .then(takenBack(1, 2, { at: later }), again)
  })
  test('that was paid back, or whose credit is spent, the mark alone is kept', () => {
    slot.given(placed, cancelledLate(), refunded()).when(tells('given', 1)).then(given(1))
    slot
      .given(placed, late)
      .when({ ...tells('given', 1), moneyStays: true })
      .then(given(1))
  })
  test('before its cutoff, or beside another lunch of that day, is refused; so is anything else', () => {
    slot.given(placed, cancelledBefore()).when(tells('given', 1)).refused('order_cancelled')
    slot
      .given(placed, late, ordered(2, after(noon, -60)))
      .when(tells('given', 1))
      .refused('order_cancelled')
    slot.given(placed, late).when(tells('absent', 1)).refused('order_cancelled')
  })
})

describe('the office takes back what somebody marked', () => {
  const office = 51
  const by = { by: office, byOffice: true as const }
  const takesBack = (of = tablet): SlotCommand => ({
    kind: 'take-marks-back',
    orderId: first,
    of,
    by: office,
    markIds: [m(91), m(92)],
    now: noon,
  })
  test('each mark that stands, and the lunch is pending again', () => {
    slot
      .given(placed, given(1), completedAt(noon))
      .when(takesBack())
      .then(takenBack(1, 91, by), reopenedAt(noon))
    slot
      .given(placed, completed(), absent(1), given(2))
      .when(takesBack())
      .then(takenBack(2, 91, by), takenBack(1, 92, by))
  })
  test('nothing of another user', () => {
    slot.given(placed, given(1, byPhone), completedAt(noon)).when(takesBack()).nothingHappens()
    slot
      .given(placed, absent(1), given(2, byPhone), completedAt(noon))
      .when(takesBack())
      .then(takenBack(1, 91, by))
  })
  test('so that the lunch takes marks again, also where none stood; once', () => {
    const used = Array.from({ length: 25 }, (_, place) => [
      given(2 * place + 1),
      takenBack(2 * place + 1, 2 * place + 2),
    ]).flat()
    slot
      .given(placed, completed(), ...used)
      .when(takesBack())
      .then(takenBack(50, 91, by))
    const after = [placed, completed(), ...used, takenBack(50, 91, by)]
    slot
      .given(...after)
      .when(tells('given', 93, byPhone))
      .then(given(93, byPhone))
    slot
      .given(...after)
      .when(takesBack())
      .nothingHappens()
  })
})

const withClock = (deviceAt: Date, now = noon) =>
  tells('given', 1, { at: now, deviceAt: deviceAt.toISOString() })

describe('refused is', () => {
  const { startsAt } = tuesdayBy()
  const weekLater = after(noon, 7 * 24 * 60)

  test('an order that is not there, or counts as never placed; nothing is written of it', () => {
    slot.given().when(tells('given', 1)).refused('order_not_found')
    slot.given(placed, withdrawn()).when(tells('given', 1)).refused('order_not_found')
    slot
      .given(placed)
      .when(tells('given', 1, { orderId: '118.2026-09-15.2' }))
      .refused('order_not_found')
  })
  test('a cancelled order, paid back or not', () => {
    slot.given(placed, cancelledBefore()).when(tells('given', 1)).refused('order_cancelled')
    slot.given(placed, cancelledBefore(), refunded()).when(tells('given', 1)).refused('order_cancelled')
  })
  test('what was told more than seven days ago', () => {
    slot
      .given(placed, completed())
      .when(withClock(noon, weekLater))
      .then(given(1, { at: weekLater, deviceAt: noon.toISOString() }))
    const tooLate = after(weekLater, 0, 1)
    slot.given(placed).when(withClock(noon, tooLate)).refused('too_old')
  })
  test('what was told before the day of the lunch by the school’s clock', () => {
    slot
      .given(placed, completed())
      .when(withClock(startsAt))
      .then(given(1, { deviceAt: startsAt.toISOString() }))
    const evening = after(startsAt, 0, -1)
    slot.given(placed).when(withClock(evening)).refused('before_its_day')
  })
  test('a lunch whose day has not come by our clock, whatever the device’s says', () => {
    const evening = after(startsAt, 0, -1)
    slot.given(placed).when(withClock(noon, evening)).refused('day_not_come')
    slot.given(placed).when(withClock(evening, evening)).refused('day_not_come')
    slot
      .given(placed, completed())
      .when(withClock(noon, startsAt))
      .then(given(1, { at: startsAt, deviceAt: noon.toISOString() }))
  })
  /** Given and taken back, so many times. */
  const backAndForth = (times: number, more: Parameters<typeof given>[1] = {}) =>
    Array.from({ length: times }, (_, place) => [
      given(2 * place + 1, more),
      takenBack(2 * place + 1, 2 * place + 2, more),
    ]).flat()

  test('the 51st mark that a lunch keeps', () => {
    const full = [placed, completed(), ...backAndForth(25)]
    slot
      .given(...full)
      .when(tells('given', 51))
      .refused('too_many_marks')
    slot
      .given(...full)
      .when(tells('given', 49))
      .nothingHappens()
    slot
      .given(...full.slice(0, -1))
      .when(undoes(49, 51))
      .then(takenBack(49, 51))
  })
  test('the 21st that a session keeps of a lunch within an hour; another session goes on', () => {
    const full = [placed, completed(), ...backAndForth(10, { session })]
    slot
      .given(...full)
      .when(tells('given', 21, { session }))
      .refused('too_many_marks')
    slot
      .given(...full)
      .when(tells('given', 21, { session: otherSession }))
      .then(given(21, { session: otherSession }))
    const hourLater = after(noon, 60)
    slot
      .given(...full)
      .when(tells('given', 21, { session, at: hourLater }))
      .then(given(21, { session, at: hourLater }))
    slot
      .given(...full)
      .when(tells('given', 21, { session, at: after(hourLater, 0, -1) }))
      .refused('too_many_marks')
  })
  test('nothing for what was so already or in conflict, of which fifty are stored', () => {
    const said = (number: number) =>
      notKept(number, { kind: 'given', result: 'already', other: standing(1, 'given') }, { session })
    const told = [placed, completed(), given(1), ...Array.from({ length: 49 }, (_, place) => said(place + 2))]
    slot
      .given(...told)
      .when(tells('given', 51, { session }))
      .then(said(51))
    slot
      .given(...told, said(51))
      .when(tells('given', 52, { session }))
      .nothingHappens()
    slot
      .given(...told, said(51))
      .when(undoes(1, 52, { session }))
      .then(takenBack(1, 52, { session }))
  })
  test('nothing for a clock that is ahead', () => {
    const ahead = after(noon, 365 * 24 * 60)
    slot
      .given(placed, completed())
      .when(withClock(ahead))
      .then(given(1, { deviceAt: ahead.toISOString() }))
  })
})

describe('undoing that a lunch was marked as complete', () => {
  const undoStatus: SlotCommand = { kind: 'undo-status', orderId: first, now: noon }
  test('makes it pending again', () =>
    slot.given(placed, completed()).when(undoStatus).then(reopenedAt(noon)))
  test('leaves a lunch that was given out meanwhile', () => {
    slot.given(placed, completed(), given(1)).when(undoStatus).refused('changed_since')
    slot.given(placed, completed(), given(1), takenBack(1, 2)).when(undoStatus).then(reopenedAt(noon))
  })
  test('is nothing for one that is pending, and places a cancelled one again', () => {
    slot.given(placed).when(undoStatus).nothingHappens()
    slot.given(placed, cancelledBefore()).when(undoStatus).then(reopenedAt(noon))
  })
})

const marks = (...events: Parameters<ReturnType<typeof viewSpec>['given']>) =>
  viewSpec(lunchMarksView).given(...events)
const row = (more: object) => [
  {
    order_id: first,
    date: '2026-09-15',
    given: null,
    noticed: null,
    changed_at: noon.toISOString(),
    ...more,
  },
]

test('a lunch that was given out', () =>
  marks(given(1)).thenRows(row({ given: { ...standing(1, 'given'), note: null } })))
test('a child that did not come', () =>
  marks(absent(1)).thenRows(row({ noticed: { ...standing(1, 'absent'), note: null } })))
test('a problem with its note', () =>
  marks(problem(1, { note: 'dropped' })).thenRows(
    row({ noticed: { ...standing(1, 'problem'), note: 'dropped' } }),
  ))
test('what was noticed before stays under what was given, and stands again when that is taken back', () =>
  marks(absent(1), given(2), takenBack(2, 3, { at: later })).thenRows(
    row({ noticed: { ...standing(1, 'absent'), note: null }, changed_at: later.toISOString() }),
  ))
test('what was beaten can be taken out', () =>
  marks(problem(1), given(2), takenBack(1, 3)).thenRows(
    row({ given: { ...standing(2, 'given'), note: null } }),
  ))
test('that it was paid changes the lunch, not its marks', () => {
  const paid = orderPaymentConfirmed({ orderId: first, at: later.toISOString() })
  marks(paid).thenRows(row({ changed_at: later.toISOString() }))
  marks(given(1), paid).thenRows(
    row({ given: { ...standing(1, 'given'), note: null }, changed_at: later.toISOString() }),
  )
})
