import type { Reader } from './database'

/** Null where no school was started. */
export const schoolOf = async (pool: Reader): Promise<string | null> =>
  (await pool.query<{ id: string }>('select id from platform.school')).rows[0]?.id ?? null

/** Keeps an existing id; answers the stored one. */
export const keepSchool = async (pool: Reader, id: string): Promise<string> => {
  await pool.query('insert into platform.school (id) values ($1) on conflict do nothing', [id])
  return (await schoolOf(pool))!
}

export const replaceSchool = async (pool: Reader, id: string): Promise<void> => {
  await pool.query('delete from platform.school')
  await keepSchool(pool, id)
}
