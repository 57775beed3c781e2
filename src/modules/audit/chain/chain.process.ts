import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { Journal } from '#platform/module'
import { canonicalJson } from './canonical-json'
import { addLinks, chainHead } from './chain.rows'
import type { Link } from './chain.rows'

/** The name of the chain's journal and of its checkpoint. */
export const chainName = 'audit-chain'

const batchSize = 1_000

/** The hash of an event that follows the link of that hash: 64 hexadecimal digits. */
export const linkHash = (previous: string, event: RecordedEvent): string => {
  const { id, type, stream, revision, data, metadata } = event
  return createHash('sha256')
    .update(previous)
    .update(canonicalJson({ id, type, stream, revision, data, metadata }))
    .digest('hex')
}

/** Chains every event of the log in its order; see docs/decisions/0009-audit-is-a-context.md for what that proves. */
export const chainJournal = (pool: Pool): Journal => ({
  name: chainName,
  batchSize,
  write: async (events, from) => {
    let { number, hash } = await chainHead(pool)
    const links = events.map((event): Link => {
      number += 1
      hash = linkHash(hash, event)
      return { number, position: event.position, eventId: event.id, hash }
    })
    const to = events.at(-1)?.position ?? from
    await addLinks(pool, links, { name: chainName, from, to })
    return to
  },
})
