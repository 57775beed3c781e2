import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { keptPicture, pictureAddress } from '#contracts/pictures'
import type { CatalogueNeeds } from '../needs'
import { refused } from '../refusals'
import { drawSizes } from './draw-sizes.commands'
import { insertPicture, needPictures } from './pictures.rows'

// Half a SHA-256: nobody guesses it, and no two pictures share it.
const hashDigits = 32

/**
 * Keeps an uploaded picture in its sizes and answers its address; the same picture has the same address. Throws a
 * refusal for what is no picture that can be kept.
 */
export const keepPicture =
  ({ database: { knex }, now }: Pick<CatalogueNeeds, 'database' | 'now'>) =>
  async (uploaded: Buffer): Promise<string> => {
    const sizes = await drawSizes(uploaded)
    const large = sizes[0]!
    const hash = createHash('sha256').update(large.bytes).digest('hex').slice(0, hashDigits)
    await insertPicture(knex, hash, sizes, now())
    return pictureAddress({ hash, width: large.width, height: large.height })
  }

type WithPicture = { imageUrl: string | null }

/**
 * Notes which pictures an item names from now on, or named until now. Throws `item_invalid` where the new one is not
 * kept (any more).
 */
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
    throw refused('item_invalid', 'This picture is not kept here any more. Upload it again.', {
      fields: { imageUrl: 'This picture is not kept here any more. Upload it again.' },
    })
}
