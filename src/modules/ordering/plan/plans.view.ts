import type { Pool } from 'pg'
import { column, type RowOf } from '#kernel/column'
import { mondayOf, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { rowView } from '#platform/projections/row-view'
import type { FamilyPlan } from './events'
import { minuteOfWeek } from './plan-hours.decide'
import {
  evolvePlan,
  noPlan,
  planEventTypes,
  type PlanState,
  type Skipped,
  type WeekKept,
} from './plan.decide'

const planColumns = {
  user_id: column<number>('integer'),
  plan: column<FamilyPlan | null>('jsonb'),
  paused: column<boolean>('boolean'),
  hour_of_week: column<number | null>('smallint'),
  by_prompt: column<boolean>('boolean'),
  skipped: column<readonly Skipped[]>('jsonb'),
  from_week: column<SchoolDate | null>('date'),
  announced_week: column<SchoolDate | null>('date'),
  announced_at: column<string | Date | null>('timestamptz'),
  unpaid_in_a_row: column<number>('smallint'),
  weeks: column<readonly WeekKept[]>('jsonb'),
}
type PlanRow = RowOf<typeof planColumns>

export const plansView = rowView({
  table: 'ordering.plans',
  columns: planColumns,
  primaryKey: 'user_id',
  events: planEventTypes,
  key: ({ data }) => String(data.userId),
  /** Derived from the folded state: no event has its own rule here. */
  evolve: (row: PlanRow | null, event): PlanRow =>
    rowOf(event.data.userId, evolvePlan(row ? stateOf(row) : noPlan, event)),
})

const rowOf = (userId: number, state: PlanState): PlanRow => {
  const { plan, paused, skipped, fromWeek, announced, unpaidInARow, weeks } = state
  return {
    user_id: userId,
    plan,
    paused,
    hour_of_week: plan && minuteOfWeek(plan.at.day, plan.at.hour, plan.at.minute),
    by_prompt: plan?.pay.by === 'prompt',
    skipped,
    from_week: fromWeek,
    announced_week: announced?.week ?? null,
    announced_at: announced?.at ?? null,
    unpaid_in_a_row: unpaidInARow,
    weeks,
  }
}

const stateOf = (row: PlanRow): PlanState => ({
  plan: row.plan,
  paused: row.paused,
  skipped: row.skipped,
  fromWeek: row.from_week,
  announced:
    row.announced_week === null
      ? null
      : { week: row.announced_week, at: new Date(row.announced_at!).toISOString() },
  unpaidInARow: row.unpaid_in_a_row,
  weeks: row.weeks,
})

/** `place` of `among` plans of one hour that are paid in the same way, from 0. */
export type DuePlan = {
  userId: number
  at: FamilyPlan['at']
  byPrompt: boolean
  announced: PlanState['announced']
  place: number
  among: number
}

/** Whose hour comes by this minute of the week, and whose week before was missed; at most 500. */
export const plansDue = async (
  pool: Pool,
  { week, minute, missed }: { week: SchoolDate; minute: number; missed: boolean },
): Promise<DuePlan[]> => {
  const { rows } = await pool.query<DuePlan>({
    name: 'ordering-plans-due',
    text: `select user_id as "userId", at, by_prompt as "byPrompt", announced, place::int, among::int from (
             select user_id, hour_of_week, by_prompt, from_week, weeks, plan->'at' as at,
               case when announced_at is not null
                 then json_build_object('week', announced_week, 'at', announced_at) end as announced,
               row_number() over (hours order by user_id) - 1 as place, count(*) over hours as among
             from ordering.plans where plan is not null and not paused
             window hours as (partition by hour_of_week, by_prompt)) due
           where (hour_of_week <= $2 and from_week <= $1::date and not ${isBegun('$1::date')})
             or ($3 and from_week <= $1::date - 7 and not ${isBegun('$1::date - 7')})
           order by hour_of_week, place limit 500`,
    values: [week, minute, missed],
  })
  return rows
}

/** It has a try. */
const isBegun = (week: string) =>
  `jsonb_path_exists(weeks, '$[*] ? (@.week == $week && @.number > 0)', jsonb_build_object('week', (${week})::text))`

/** Those that wait, and later ones whose payment may still come though it was given up. At most 1,000. */
export const weeksToFollow = async (
  pool: Pool,
  since: SchoolDate,
): Promise<{ userId: number; week: WeekKept }[]> => {
  const { rows } = await pool.query<{ userId: number; week: WeekKept }>({
    name: 'ordering-plan-weeks-to-follow',
    text: `select user_id as "userId", week from ordering.plans cross join lateral jsonb_array_elements(weeks) week
           where week->>'state' = 'waiting' or (week->>'state' in ('not_paid', 'failed') and week->>'week' >= $1::text)
           order by user_id limit 1000`,
    values: [since],
  })
  return rows
}

/** Meals that plans would still order on these open days: of weeks not begun, without a lunch and not skipped. */
export const mealsPlanned = async (
  pool: Pool,
  open: readonly SchoolDate[],
): Promise<{ date: SchoolDate; meals: number }[]> => {
  if (open.length === 0) return []
  const { rows } = await pool.query<{ date: SchoolDate; meals: number }>({
    name: 'ordering-meals-planned',
    text: `select asked.date::text as date, count(*)::int as meals
           from unnest($1::date[], $2::date[], $3::int[]) as asked (date, week, weekday)
           join ordering.plans on plan is not null and not paused and from_week <= asked.week
             and not ${isBegun('asked.week')}
           cross join lateral jsonb_array_elements(plan->'children') child
           where jsonb_path_exists(child, '$.days[*] ? (@.day == $day)', jsonb_build_object('day', asked.weekday))
             and not skipped @> jsonb_build_array(jsonb_build_object('studentId', child->'studentId', 'date', asked.date::text))
             and not exists (select from ordering.orders
               where student_id = (child->>'studentId')::int and meal_date = asked.date)
           group by 1 order by 1`,
    values: [open, open.map(mondayOf), open.map(weekdayOf)],
  })
  return rows
}
