import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import type { Database, Reader } from '#platform/database'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { PictureName } from '#contracts/pictures'

/** Stores the sizes of a picture; one that is there already is needed again from now on. */
export const insertPicture = async (
  knex: Knex,
  hash: string,
  sizes: readonly { width: number; height: number; bytes: Buffer }[],
  at: Date,
): Promise<void> => {
  await knex('catalogue.pictures')
    .insert(sizes.map(({ width, height, bytes }) => ({ hash, width, height, bytes, needed_at: at })))
    .onConflict(['hash', 'width'])
    .merge(['needed_at'])
}

/** The bytes of one size of a picture; null where there is none. A prepared query: every menu asks it. */
export const pictureBytes = async (
  pool: Reader,
  { hash, width, height }: PictureName,
): Promise<Buffer | null> => {
  const { rows } = await pool.query<{ bytes: Buffer }>({
    name: 'catalogue-picture',
    text: 'select bytes from catalogue.pictures where hash = $1 and width = $2 and height = $3',
    values: [hash, width, height],
  })
  return rows[0]?.bytes ?? null
}

/** Says that these pictures are needed at this moment; answers the hashes of those that are there. */
export const needPictures = async (
  transaction: Knex.Transaction,
  hashes: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> => {
  if (hashes.length === 0) return new Set()
  const rows = await transaction('catalogue.pictures')
    .whereIn('hash', [...hashes])
    .update({ needed_at: at })
    .returning<{ hash: string }[]>('hash')
  return new Set(rows.map(({ hash }) => hash))
}

/** Longer than somebody leaves a form open, or thinks about taking a picture back. */
const keptDays = 30

/**
 * Pictures that no menu item names, archived ones included. An item that is saved meanwhile moves `needed_at`, so that
 * its picture is not removed in the same moment.
 */
export const pictureRetention = ({
  database: { pool },
  now,
}: {
  database: Pick<Database, 'pool'>
  now: Now
}): Retention => ({
  name: 'catalogue.pictures',
  kept: `while a menu item names it, and ${keptDays} days`,
  remove: deleteUntil(
    pool,
    'catalogue.pictures',
    `needed_at < $1 and not exists (
       select from catalogue.menu_items item where item.image_url like '/pictures/' || hash || '-%')`,
    () => new Date(now().getTime() - keptDays * dayMs),
  ),
})
