import type { Pool } from 'pg'
import type { Direction } from '#contracts/endpoint'
import type { RollEntry, RollSort } from '#contracts/enrolment'
import { classNamed } from '#contracts/names'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { versionOf } from '#platform/versions'
import { staffGrade } from './student.decide'
import { namesOfClasses, spellingsOfClass, studentRecord, studentShown } from './students.rows'

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
    and ($2::text[] is null or coalesce(s.class, '') = any($2))
    and ($3::boolean is null or (s."userId" is not null) = $3)
    and ($4::boolean is null or (s."leftAt" is not null) = $4)`
  const order = [...orders[sort], 's.id'].map((key) => `${key} ${direction}`).join(', ')
  const spellings = inClass && (await spellingsOfClass(pool, inClass))
  const asked = [foldedSearch(text), spellings === '' ? [''] : spellings, claimed, left]
  const [page, counted] = await Promise.all([
    pool.query<Omit<RollEntry, 'leftAt' | 'version'> & { leftAt: Date | null }>(
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
  const data = page.rows.map((row) => ({
    ...row,
    class: row.class && classNamed(row.class),
    leftAt: row.leftAt?.toISOString() ?? null,
    version: versionOf(studentRecord(row.id), studentShown(row)),
  }))
  return { data, total: counted.rows[0]?.total ?? 0 }
}

export const classesOfRoll = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ class: string }>(
    `select distinct s.class ${children} and s.class is not null limit 500`,
  )
  return namesOfClasses(rows.map((row) => row.class))
}

export type ClassSize = { class: string | null; grade: string; children: number }

/** Present children, staff apart; a class under each of its spellings. */
export const childrenByClass = (pool: Pool) => async (): Promise<ClassSize[]> => {
  const { rows } = await pool.query<ClassSize>(
    `select s.class, s.grade, count(*)::int as children ${children} and s."leftAt" is null group by 1, 2`,
  )
  return rows
}

export type PresentChild = {
  id: number
  userId: number | null
  name: string
  grade: string
  class: string | null
}

/** Staff apart, by name. */
export const presentChildren = (pool: Pool) => async (): Promise<PresentChild[]> => {
  const { rows } = await pool.query<PresentChild>(
    `select s.id, s."userId", s.name, s.grade, s.class ${children} and s."leftAt" is null order by lower(s.name), s.id`,
  )
  return rows
}

/** Longer than undoing an import can bring a child back. */
const leftKeptDays = 30

export const unclaimedRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.students.unclaimed',
  about: 'Children of the school’s list without an account',
  kept: `until an account has the child, or ${leftKeptDays} days after it has left`,
  remove: deleteUntil(
    pool,
    'identity.students',
    '"userId" is null and "mergedInto" is null and "leftAt" < $1',
    () => new Date(now().getTime() - leftKeptDays * dayMs),
  ),
})
