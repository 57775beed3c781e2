import type { CycleOverlap } from '#contracts/cycles'
import type { ToastWords } from '../../lib/toast'
import { counted, dayAndMonth } from '../../lib/format'

/** Which orders of other cycles stand on the dates of a cycle, and what becomes of them. There is one at least. */
export const overlapText = ({ orders, dates }: CycleOverlap): string => {
  const [stand, stay] = orders === 1 ? ['stands', 'It stays and is'] : ['stand', 'They stay and are']
  return `${counted(orders, 'order')} of other cycles ${stand} on ${dates.map(dayAndMonth).join(', ')}. ${stay} cooked.`
}

/** The notification that a cycle takes orders now; long enough to read where it tells of other orders. */
export const startedToast = (title: string, overlap: CycleOverlap): ToastWords =>
  overlap.orders === 0 ? { title } : { title, text: overlapText(overlap), duration: 15_000 }
