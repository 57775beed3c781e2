import { orderReopened } from '#modules/ordering/slot/events'
import {
  absentAtHatch,
  lunchGiven,
  markNotKept,
  markUndone,
  problemAtHatch,
} from '#modules/ordering/slot/lunch-marks'
import type { MarkLunch } from '#modules/ordering/slot/mark-lunch.decide'
import { after, mary, tuesdayBy } from './lunches'
import { completed, first } from './slot-words'

const { startsAt: dayStartsAt } = tuesdayBy()
/** Tuesday at noon, when the lunches are handed out. */
export const noon = after(dayStartsAt, 12 * 60)

/** Two tablets, each used by a cook of its own. */
export const tablet = 41
export const phone = 42

/** The ids of marks: m(1), m(2) … */
export const m = (number: number) => `0199c0de-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`

type Told = Partial<MarkLunch['mark']> & { at?: Date }
type Fact = Omit<Told, 'session'> & { session?: string }
type Given = Fact & Pick<Parameters<typeof lunchGiven>[0], 'cancelled'>

/** What a device tells of the first order, by a clock that is right unless `deviceAt` is told. */
export const tells = (
  kind: MarkLunch['mark']['kind'],
  number: number,
  { at = noon, ...more }: Told = {},
): MarkLunch => ({
  kind: 'mark',
  mark: {
    markId: m(number),
    orderId: first,
    kind,
    by: tablet,
    note: null,
    undoes: null,
    session: null,
    deviceAt: at.toISOString(),
    ...more,
  },
  dayStartsAt,
  now: at,
})
export const undoes = (undone: number, number: number, more: Told = {}) =>
  tells('undone', number, { undoes: m(undone), ...more })

const fact = (number: number, { at = noon, ...more }: Fact = {}) => ({
  orderId: first,
  userId: mary,
  markId: m(number),
  by: tablet,
  note: null,
  deviceAt: at.toISOString(),
  at: at.toISOString(),
  ...more,
})
export const given = (number: number, more: Given = {}) => lunchGiven(fact(number, more))
export const absent = (number: number, more: Fact = {}) => absentAtHatch(fact(number, more))
export const problem = (number: number, more: Fact = {}) => problemAtHatch(fact(number, more))
export const takenBack = (undone: number, number: number, more: Fact & { byOffice?: true } = {}) =>
  markUndone({ ...fact(number, more), undoes: m(undone) })

type NotKept = Pick<ReturnType<typeof markNotKept>['data'], 'kind' | 'result'> &
  Partial<Pick<ReturnType<typeof markNotKept>['data'], 'other' | 'undoes'>>

/** The sessions of two devices. */
export const session = '0199c0de-0000-7000-8000-0000000002aa'
export const otherSession = '0199c0de-0000-7000-8000-0000000002bb'
export const notKept = (number: number, answer: NotKept, more: Fact = {}) =>
  markNotKept({ ...fact(number, more), undoes: null, other: null, ...answer })
/** The mark that stands, as an answer names it. */
export const standing = (number: number, kind: 'given' | 'absent' | 'problem', by = tablet) => ({
  markId: m(number),
  kind,
  by,
  deviceAt: noon.toISOString(),
})

export const completedAt = (at: Date) => ({ ...completed(), data: { orderId: first, at: at.toISOString() } })
export const reopenedAt = (at: Date) => orderReopened({ orderId: first, at: at.toISOString() })
