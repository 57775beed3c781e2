import type { KitchenChange } from '#contracts/kitchen'
import { counted } from '../../../lib/format'
import { schoolClock, schoolDate, schoolNow } from '../../../lib/school-moment'

/** Whether today can still be ordered, with the cutoff as "08:00"; null for another date. */
export const orderingInWords = (date: string, until: string): string | null => {
  const now = schoolNow()
  if (date !== schoolDate(now)) return null
  return schoolClock(now) < until ? `Ordering for today is open until ${until}` : `Final since ${until}`
}

/** Such as "12 more since you printed"; null when nothing has changed, or when nothing was printed yet. */
export const sincePrinted = ({
  since,
  changes,
}: {
  since: string
  changes: readonly KitchenChange[]
}): string | null => {
  const wasPrinted = Date.parse(changes[0]?.at ?? '') !== Date.parse(since)
  if (changes.length === 0 || !wasPrinted) return null
  const more = changes.reduce((sum, { from, to }) => sum + Number(to !== null) - Number(from !== null), 0)
  if (more === 0) return `${counted(changes.length, 'change')} since you printed`
  return `${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'} since you printed`
}

const kinds: Record<KitchenChange['kind'], string> = {
  ordered: 'Ordered',
  cancelled: 'Cancelled',
  changed: 'Changed',
  absent: 'Ill',
}

/** What happened, in a word or two. */
export const kindInWords = ({ kind, to }: Pick<KitchenChange, 'kind' | 'to'>): string =>
  kind === 'absent' && to !== null ? 'Eats after all' : kinds[kind]
