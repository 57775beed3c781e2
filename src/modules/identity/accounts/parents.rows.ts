import type { Knex } from 'knex'
import type { Pool } from 'pg'
import type { ParentSort } from '#contracts/parents'
import type { Direction } from '#contracts/sorting'
import type { ClaimedStudent } from '../students/student.decide'
import type { Account } from './account'

export type ParentRow = Pick<Account, 'id' | 'username' | 'name' | 'email' | 'phone' | 'role'>
type FamilyRow = ParentRow & { students: ClaimedStudent[] }

const orders: Record<ParentSort, string> = {
  name: 'lower(u.name)',
  username: 'u."usernameKey"',
  newest: 'u."createdAt"',
}

/** Who came last has the greatest time. */
const inRows = (sort: ParentSort, direction: Direction): Direction => {
  if (sort !== 'newest') return direction
  return direction === 'asc' ? 'desc' : 'asc'
}

const found = `
  where u.role in ('parent', 'teacher') and u."deletedAt" is null
    and ($1 = '' or strpos(lower(concat_ws(' ', u.username, u.name, u.email, u.phone)), lower($1)) > 0
      or exists (select from identity.students s
        where s."userId" = u.id and s."mergedInto" is null and strpos(lower(s.name), lower($1)) > 0))`

type ParentsQuery = {
  search: string
  sort: ParentSort
  direction: Direction
  offset: number
  limit: number
}

/**
 * One page of the parents and teachers in whom, or in whose students' names, the text is found; '' finds all. Equal ones
 * stand in the order in which they came, students as they were entered. Students are gathered as JSON, which is SQL's own.
 */
export const parentsPage = async (
  pool: Pool,
  { search, sort, direction, offset, limit }: ParentsQuery,
): Promise<{ rows: FamilyRow[]; total: number }> => {
  const way = inRows(sort, direction)
  const { rows } = await pool.query<FamilyRow & { id: number | null; total: number }>(
    `with found as materialized (select u.id, ${orders[sort]} as place from identity.users u ${found}),
       page as (select id, place from found order by place ${way}, id ${way} offset $2 limit $3)
     select counted.total, u.id, u.username, u.name, u.email, u.phone, u.role,
            coalesce((
              select json_agg(json_build_object('id', s.id, 'userId', s."userId", 'name', s.name, 'grade', s.grade,
                                                'class', s.class, 'admissionNumber', s."admissionNumber") order by s.id)
              from identity.students s where s."userId" = u.id and s."mergedInto" is null), '[]') as students
     from (select count(*)::int as total from found) counted
     left join (page join identity.users u using (id)) on true
     order by page.place ${way}, page.id ${way}`,
    [search, offset, limit],
  )
  return { total: rows[0]!.total, rows: rows.filter(({ id }) => id !== null) }
}

/** Parents and teachers whose username or name contains the text, by username; at most 20. */
export const usersLike = (knex: Knex, text: string): Promise<Pick<Account, 'id' | 'username'>[]> =>
  knex<Account>('identity.users')
    .whereIn('role', ['parent', 'teacher'])
    .whereNull('deletedAt')
    .whereRaw(`strpos(lower(concat_ws(' ', username, name)), lower(?)) > 0`, [text])
    .orderBy('usernameKey')
    .limit(20)
    .select('id', 'username')
