import type { Knex } from 'knex'
import { groupedBy } from '#kernel/grouped-by'
import type { Discount } from '#kernel/money'
import { codeColumns, insertDiscountCode, type DiscountCodeRow } from './discounts.rows'

/** The codes of a child before and after its bursary was set, for undoing. */
export type BursarySet = { studentId: number; before: DiscountCodeRow[]; after: DiscountCodeRow[] }

const codesOf = async (
  knex: Knex,
  studentIds: readonly number[],
): Promise<Map<number, DiscountCodeRow[]>> => {
  const { rows } = await knex.raw<{ rows: DiscountCodeRow[] }>(
    `select ${codeColumns} from ordering.discount_codes where student_id = any(?::int[])
     order by is_active desc, discount_codes.percentage desc, id`,
    [[...studentIds]],
  )
  return groupedBy(rows, (row) => row.student_id!)
}

/** By child: its own code that counts. */
export const bursariesOf = async (
  knex: Knex,
  studentIds: readonly number[],
): Promise<Map<number, Discount>> => {
  const found = await codesOf(knex, studentIds)
  return new Map(
    [...found].flatMap(([id, [best]]) => (best?.is_active ? [[id, best] satisfies [number, Discount]] : [])),
  )
}

/** Makes this the one active code of each child; 0 ends all that it has. */
export const setBursaries = async (
  transaction: Knex.Transaction,
  wanted: readonly (Discount & { studentId: number })[],
  at: Date,
): Promise<BursarySet[]> => {
  const known = await codesOf(
    transaction,
    wanted.map(({ studentId }) => studentId),
  )
  const done: BursarySet[] = []
  for (const { studentId, percentage, sponsor } of wanted) {
    const before = known.get(studentId) ?? []
    const after = before.map((row, place) => {
      const isIt = place === 0 && percentage > 0
      return isIt ? { ...row, percentage, sponsor, is_active: true } : { ...row, is_active: false }
    })
    if (before.length === 0) after.push(await newBursary(transaction, { studentId, percentage, sponsor }, at))
    done.push({ studentId, before, after })
  }
  await write(
    transaction,
    done.flatMap(({ before, after }) => (before.length === 0 ? [] : after)),
  )
  return done
}

const newBursary = async (
  transaction: Knex.Transaction,
  { studentId, percentage, sponsor }: Discount & { studentId: number },
  at: Date,
): Promise<DiscountCodeRow> => {
  const row = { user_id: null, student_id: studentId, sponsor, percentage, is_active: true }
  for (let number = 1; ; number += 1) {
    const code = number === 1 ? `BURSARY-${studentId}` : `BURSARY-${studentId}-${number}`
    const made = await insertDiscountCode(transaction, { ...row, code }, at)
    if (made) return made
  }
}

/** Codes that somebody changed since stay. */
export const undoBursaries = async (
  transaction: Knex.Transaction,
  done: readonly BursarySet[],
): Promise<void> => {
  const now = await codesOf(
    transaction,
    done.map(({ studentId }) => studentId),
  )
  const own = done.filter(({ studentId, after }) => isSame(now.get(studentId) ?? [], after))
  const made = own.flatMap(({ before, after }) => (before.length === 0 ? after : []))
  await transaction.raw('delete from ordering.discount_codes where id = any(?::int[])', [
    made.map(({ id }) => id),
  ])
  await write(
    transaction,
    own.flatMap(({ before }) => before),
  )
}

const isSame = (some: readonly DiscountCodeRow[], others: readonly DiscountCodeRow[]): boolean =>
  some.length === others.length &&
  some.every((row) => {
    const other = others.find(({ id }) => id === row.id)
    return (
      other?.percentage === row.percentage &&
      other.is_active === row.is_active &&
      other.sponsor === row.sponsor
    )
  })

const write = async (transaction: Knex.Transaction, rows: readonly DiscountCodeRow[]): Promise<void> => {
  await transaction.raw(
    `update ordering.discount_codes code
     set percentage = wanted.percentage, sponsor = wanted.sponsor, is_active = wanted.is_active
     from jsonb_to_recordset(?::jsonb) as wanted (id int, percentage numeric, sponsor text, is_active boolean)
     where wanted.id = code.id`,
    [JSON.stringify(rows)],
  )
}
