import type { Reader } from './database'

/** The id of the school whose database this is; null where none has been started. */
export const schoolOf = async (pool: Reader): Promise<string | null> =>
  (await pool.query<{ id: string }>('select id from platform.school')).rows[0]?.id ?? null

/** Keeps the id unless there is one; answers the one that is kept. */
export const keepSchool = async (pool: Reader, id: string): Promise<string> => {
  await pool.query('insert into platform.school (id) values ($1) on conflict do nothing', [id])
  return (await schoolOf(pool))!
}

/** Puts the id of a restored school in the place of whatever is there. */
export const replaceSchool = async (pool: Reader, id: string): Promise<void> => {
  await pool.query('delete from platform.school')
  await keepSchool(pool, id)
}
