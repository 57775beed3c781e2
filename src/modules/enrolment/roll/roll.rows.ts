import type { Pool } from 'pg'
import type { RollEntry, RollSort } from '#contracts/enrolment'
import type { Direction } from '#contracts/endpoint'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import { staffGrade } from '#modules/identity/published'

type RollFilters = { text: string; class: string | null; claimed: boolean | null; left: boolean | null }
type RollPage = { sort: RollSort; direction: Direction; offset: number; limit: number }

const orders: Record<RollSort, readonly string[]> = {
  name: ['lower(s.name)'],
  class: [
    `array_position(array['ELC','K','1','2','3','4','5','6','7','8','9','10','11','12'], s.grade)`,
    's.class',
    'lower(s.name)',
  ],
  number: ['s."admissionNumber"', 'lower(s.name)'],
}

const children = `from identity.students s left join identity.users u on u.id = s."userId"
  where s."mergedInto" is null and s.grade <> '${staffGrade}'`

const foundIn = `concat_ws('|', s.name, s."admissionNumber", s."guardianName", u.name, u.username)`

export const rollPage = async (
  pool: Pool,
  { text, class: inClass, claimed, left }: RollFilters,
  { sort, direction, offset, limit }: RollPage,
): Promise<{ data: RollEntry[]; total: number }> => {
  const found = `${children}
    and ($1 = '' or strpos(${foldedSql(foundIn)}, $1) > 0)
    and ($2::text is null or coalesce(s.class, '') = $2)
    and ($3::boolean is null or (s."userId" is not null) = $3)
    and ($4::boolean is null or (s."leftAt" is not null) = $4)`
  const order = [...orders[sort], 's.id'].map((key) => `${key} ${direction}`).join(', ')
  const asked = [foldedSearch(text), inClass, claimed, left]
  const [page, counted] = await Promise.all([
    pool.query<RollEntry & { leftAt: Date | null }>(
      `select s.id, s.name, s.grade, s.class, s."admissionNumber", s."onRollSince" is not null as "onRoll", s."leftAt",
         case when u.id is null then null
           else json_build_object('id', u.id, 'username', u.username, 'name', u.name) end as parent,
         case when coalesce(s."guardianName", s."guardianEmail", s."guardianPhone") is null then null
           else json_build_object('name', s."guardianName", 'email', s."guardianEmail", 'phone', s."guardianPhone")
         end as guardian
       ${found} order by ${order} offset $5 limit $6`,
      [...asked, offset, limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total ${found}`, asked),
  ])
  const data = page.rows.map((row) => ({ ...row, leftAt: row.leftAt?.toISOString() ?? null }))
  return { data, total: counted.rows[0]?.total ?? 0 }
}

export const classesOfRoll = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ class: string }>(
    `select distinct s.class ${children} and s.class is not null limit 500`,
  )
  return rows
    .map((row) => row.class)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
