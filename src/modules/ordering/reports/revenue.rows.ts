import { fromKeptSums } from './kept-sums.rows'
import type { KeptSumsNeeds } from './kept-sums.rows'

/** How many orders, of them cancelled or refunded, and what each kind was to pay, in ngwee. */
export type Sold = {
  orders: number
  cancelled: number
  pending: number
  completedNgwee: number
  cancelledNgwee: number
  pendingNgwee: number
}

export type SoldRow = Sold & {
  kind: 'all' | 'week' | 'item' | 'grade'
  cycleId: number
  week: number
  /** `YYYY-MM-DD`, the earliest day of the group. */
  firstDay: string
  itemId: number
  itemName: string
  grade: string
}

/** `rows` has what was sold in all, where anything was, and by week, item and grade; `eaters` children and teachers. */
export type SoldInAll = { rows: SoldRow[]; eaters: number }

/** What was sold in one cycle or (null) in all, and for how many. */
export const soldIn = (needs: KeptSumsNeeds, cycleId: number | null): Promise<SoldInAll> =>
  fromKeptSums<SoldInAll>(needs, { what: 'sold', cycleIds: cycleId === null ? null : [cycleId], answer })

const answer = `
  select
    (select coalesce(json_agg(together), '[]') from (
      select kind, case kind when 'week' then cycle_id end as "cycleId", week, item_id as "itemId", grade,
        min(first_day) as "firstDay", max(item_name) as "itemName",
        sum(one.orders) as orders, sum(cancelled) as cancelled, sum(pending) as pending,
        sum(one.completed_ngwee) as "completedNgwee", sum(cancelled_ngwee) as "cancelledNgwee",
        sum(pending_ngwee) as "pendingNgwee"
      from sums cross join unnest(sold) as one
      group by kind, case kind when 'week' then cycle_id end, week, item_id, grade
    ) as together) as rows,
    (select coalesce(sum(bit_count(marked)), 0)::int from (
      select bit_or(marked) as marked from sums cross join unnest(eaters) group by block
    ) as everybody) as eaters`
