import { z } from 'zod'
import { type MealLine } from '#kernel/meal-line'
import { type Ngwee } from '#kernel/money'

/** Why a line that was paid for cannot become an order (payments.md section 6). */
export const blockReasons = [
  'unknown_student',
  'foreign_student',
  'day_blocked',
  'day_past',
  'cutoff_passed',
  'cycle_missing',
  'cycle_inactive',
  'missing_item',
  'item_withdrawn',
  'duplicate_day',
  'price_above_paid',
  'error',
] as const
export const blockReason = z.enum(blockReasons)
export type BlockReason = z.infer<typeof blockReason>

/** What became of a line. `waived` is owed back; it is settled once `paidBack` reaches `owed`. */
export type LineFate =
  | { kind: 'open' }
  | { kind: 'ordered'; orderId: string }
  | { kind: 'blocked'; reason: BlockReason }
  | { kind: 'waived'; owed: Ngwee; paidBack: Ngwee; reason: BlockReason | null }

export const isUnresolved = (fate: LineFate | undefined): boolean =>
  fate?.kind === 'open' || fate?.kind === 'blocked'

/** An order, or money that is wholly back. */
export const isSettled = (fate: LineFate): boolean =>
  fate.kind === 'ordered' || (fate.kind === 'waived' && fate.paidBack >= fate.owed)

/** Shares what is held among lines, each at most its price, in their order. */
export const shareOut = (
  held: Ngwee,
  lines: readonly Pick<MealLine, 'index' | 'price'>[],
): { index: number; amount: Ngwee }[] => {
  let left = held
  return lines.map(({ index, price }) => {
    const amount = Math.min(price, Math.max(0, left))
    left -= amount
    return { index, amount }
  })
}
