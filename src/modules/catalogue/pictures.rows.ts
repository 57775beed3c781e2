import type { Knex } from 'knex'
import { keptPicture, type PictureName } from '#contracts/pictures'
import type { Database, Reader } from '#platform/database'
import type { Now } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { refused } from './refusals'

type WithPicture = { imageUrl: string | null }

/** Updates which pictures items use. Throws `item_invalid` when the new one is not kept any more. */
export const changePicture = async (
  transaction: Knex.Transaction,
  { before, after }: { before: WithPicture | null; after: WithPicture | null },
  at: Date,
): Promise<void> => {
  const old = keptPicture(before?.imageUrl)
  const next = keptPicture(after?.imageUrl)
  if (old?.hash === next?.hash) return
  const there = await needPictures(
    transaction,
    [old, next].flatMap((picture) => picture?.hash ?? []),
    at,
  )
  if (next && !there.has(next.hash))
    throw refused('item_invalid', 'This picture is no longer stored. Upload it again.', {
      fields: { imageUrl: 'This picture is no longer stored. Upload it again.' },
    })
}

export const insertPicture = async (
  knex: Knex,
  hash: string,
  sizes: readonly { width: number; height: number; bytes: Buffer }[],
  at: Date,
): Promise<void> => {
  await knex('catalogue.pictures')
    .insert(sizes.map(({ width, height, bytes }) => ({ hash, width, height, bytes, needed_at: at })))
    .onConflict(['hash', 'width', 'height'])
    .merge(['needed_at'])
}

/** Null for none. Prepared: every menu asks it. */
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

/** Marks pictures as needed now; answers the existing hashes. */
const needPictures = async (
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

/** Longer than a form stays open or a change of mind takes. */
const keptDays = 30

/** Pictures of no item, archived ones included. Saving an item moves `needed_at`, which protects its picture from a concurrent removal. */
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
