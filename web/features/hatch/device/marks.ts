import type { MarkResult, ServedLunch, CurrentMark } from '#contracts/serving'
import { counted } from '../../../lib/format'
import { schoolClock } from '../../../lib/school-moment'
import type { MarkNotice, WaitingMark } from './device-store'

/** Each order's marks in sequence. */
export const byOrder = <Marked extends { mark: { orderId: string } }>(
  marks: readonly Marked[],
): ReadonlyMap<string, Marked[]> => {
  const orders = new Map<string, Marked[]>()
  for (const one of marks) {
    const others = orders.get(one.mark.orderId)
    if (others) others.push(one)
    else orders.set(one.mark.orderId, [one])
  }
  return orders
}

/** The server's rules: "given" always wins, otherwise the first mark; "undone" removes only the mark it names. */
export const effectiveMark = (
  known: CurrentMark | null,
  waiting: readonly WaitingMark[],
): CurrentMark | null => {
  let marks = known ? [known] : []
  for (const { user, mark } of waiting) {
    const { markId, kind, at, note } = mark
    if (kind === 'undone') marks = marks.filter((one) => one.markId !== mark.undoes)
    else if (marks.every((one) => one.markId !== markId))
      marks.push({ markId, kind, at, by: user.name, note: note ?? null })
  }
  return marks.find(({ kind }) => kind === 'given') ?? marks[0] ?? null
}

/** Until the next full read. */
export const answeredLunch = (
  lunch: ServedLunch,
  { user, mark }: WaitingMark,
  { result, other }: Pick<MarkResult, 'result' | 'other'>,
): ServedLunch => {
  if (result === 'kept') {
    if (mark.kind === 'undone') return lunch.mark?.markId === mark.undoes ? { ...lunch, mark: null } : lunch
    const { markId, kind, at, note } = mark
    return { ...lunch, mark: { markId, kind, at, by: user.name, note: note ?? null } }
  }
  if (result === 'refused' || !other) return lunch
  return { ...lunch, mark: { ...other, note: null } }
}

const markText = { given: 'Given', absent: 'Absent', problem: 'Problem', undone: 'Undo' } as const

/** "Given by Grace at 12:31". */
export const markSentence = ({ kind, by, at }: Pick<CurrentMark, 'kind' | 'by' | 'at'>): string =>
  kind === 'given'
    ? `Given by ${by} at ${schoolClock(at)}`
    : `${markText[kind]}, said by ${by} at ${schoolClock(at)}`

const refusals = new Map([
  ['order_cancelled', 'this lunch was cancelled'],
  ['order_not_found', 'this lunch is not known'],
  ['mark_not_found', 'what it takes back is not known'],
  ['too_old', 'it is older than 7 days'],
  ['before_its_day', 'it is from before the day of this lunch'],
  ['day_not_come', 'the day of this lunch has not come'],
  ['too_many_marks', 'this lunch has too many marks; no more are kept. Call the office'],
])

/** For a mark that is not in force. */
export const noticeText = ({ result, kind, code, other, message }: MarkNotice): string => {
  if (result === 'refused')
    return `“${markText[kind]}” was refused: ${refusals.get(code ?? '') ?? message ?? 'the server gave no reason'}`
  if (result === 'already') return other ? `Already ${lowered(markSentence(other))}` : `Already undone`
  return `“${markText[kind]}” was not kept${other ? `: ${lowered(markSentence(other))}` : ''}`
}

const lowered = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** "3 marks wait to be sent"; "1 mark waits to be sent". */
export const waitingText = (count: number): string =>
  `${counted(count, 'mark waits', 'marks wait')} to be sent`
