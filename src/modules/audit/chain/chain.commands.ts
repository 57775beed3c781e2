import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import type { Journal } from '#platform/module'
import { moveCheckpointSql, type Move } from '#platform/projections/checkpoint'
import type { ChainFault } from './chain-fault'

export const chainName = 'audit-chain'

const batchSize = 1_000

/** 64 hexadecimal digits; each link hashes the previous hash and the event. */
export const linkHash = (previous: string, event: RecordedEvent): string => {
  const { id, type, stream, revision, data, metadata } = event
  return createHash('sha256')
    .update(previous)
    .update(canonicalJson({ id, type, stream, revision, data, metadata }))
    .digest('hex')
}

/** Chains every event in order; docs/decisions/0009-audit-is-a-context.md says what that proves. */
export const chainJournal = (pool: Pool): Journal => {
  // Only who writes the link after the last one moves the checkpoint, so what was written last is the head.
  let last: { at: Position; head: Head } | null = null
  return {
    name: chainName,
    batchSize,
    write: async (events, from) => {
      let { number, hash } = last?.at === from ? last.head : await chainHead(pool)
      const links = events.map((event): Link => {
        number += 1
        hash = linkHash(hash, event)
        return { number, position: event.position, eventId: event.id, hash }
      })
      const to = events.at(-1)?.position ?? from
      await addLinks(pool, links, { name: chainName, from, to })
      last = { at: to, head: { number, hash } }
      return to
    },
  }
}

export type Link = { number: number; position: Position; eventId: string; hash: string }

export type Head = Pick<Link, 'number' | 'hash'>

const chainStart: Head = { number: 0, hash: '0'.repeat(64) }

export const chainHead = async (pool: Pool): Promise<Head> => {
  const { rows } = await pool.query<Head>(
    'select number::float8 as number, hash from audit.chain order by audit.chain.number desc limit 1',
  )
  return rows[0] ?? chainStart
}

const addLinks = async (pool: Pool, links: readonly Link[], { name, from, to }: Move): Promise<void> => {
  const columns = [
    links.map(({ number }) => number),
    links.map(({ position }) => position),
    links.map(({ eventId }) => eventId),
    links.map(({ hash }) => hash),
  ]
  await pool.query({
    name: 'audit-chain-add',
    // Raw SQL: knex cannot insert unnested arrays in a `with` beside the checkpoint's function.
    text: `with added as (
        insert into audit.chain (number, position, event_id, hash)
        select * from unnest($4::bigint[], $5::text[], $6::uuid[], $7::text[])
      ) ${moveCheckpointSql}`,
    values: [name, from, to, ...columns],
  })
}

// Raw SQL: reads `number` as a JavaScript number and prepares pages by name.

export const linksAfter = async (pool: Pool, number: number, limit: number): Promise<Link[]> => {
  const { rows } = await pool.query<Link>({
    name: 'audit-chain-page',
    text: `select number::float8 as number, position, event_id as "eventId", hash
           from audit.chain where audit.chain.number > $1 order by audit.chain.number limit $2`,
    values: [number, limit],
  })
  return rows
}

const hashesOf = async (pool: Pool, numbers: readonly number[]): Promise<Map<number, string>> => {
  const { rows } = await pool.query<Head>(
    'select number::float8 as number, hash from audit.chain where audit.chain.number = any($1::bigint[])',
    [numbers],
  )
  return new Map(rows.map(({ number, hash }) => [number, hash]))
}

/** One spelling per value: sorted keys, no blanks, no absent keys. A database round trip keeps it. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const one of value) text += `${text === '' ? '' : ','}${canonicalJson(one ?? null)}`
    return `[${text}]`
  }
  for (const key of Object.keys(value).toSorted()) {
    const one = (value as Record<string, unknown>)[key]
    if (one !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(one)}`
  }
  return `{${text}}`
}

// Nearly all text is plain ASCII that JSON leaves as is; a log holds millions of such texts.
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

const pageSize = 2_000
const maxRemembered = 1_000

type ChainVerdict = {
  faults: ChainFault[]
  head: Head
  unchained: { events: number; since: string | null }
}

/** Begin before asking for the end of the log. Each link is recomputed on the stored previous hash, so that one fault does not spread. */
export const chainCheck = async (pool: Pool) => {
  const reaches = await chainHead(pool)
  const links = linkReader(pool)
  const faults: ChainFault[] = []
  const gone: Link[] = []
  const strange: RecordedEvent[] = []
  const unchained: ChainVerdict['unchained'] = { events: 0, since: null }
  let last: Head = chainStart

  const step = (link: Link) => {
    if (link.number !== last.number + 1)
      remember(faults, { kind: 'numbers-missing', number: last.number + 1, until: link.number - 1 })
    last = link
  }

  /** Links before this position belong to missing events; null: all remaining links. */
  const pass = async (until: Position | null) => {
    for (;;) {
      const link = await links.peek()
      if (!link || (until === null ? link.number > reaches.number : link.position >= until)) return
      remember(gone, link)
      step(link)
      links.take()
    }
  }

  const check = async (event: RecordedEvent) => {
    await pass(event.position)
    const link = await links.peek()
    if (!link) {
      unchained.events += 1
      unchained.since ??= event.metadata.at
      return
    }
    if (link.position !== event.position) return remember(strange, event)
    links.take()
    if (link.eventId !== event.id) {
      remember(gone, link)
      remember(strange, event)
    } else if (link.hash !== linkHash(last.hash, event)) {
      const { id, type, stream, revision } = event
      remember(faults, { kind: 'edited', number: link.number, id, type, stream, revision })
    }
    step(link)
  }

  return {
    check: async (events: readonly RecordedEvent[]): Promise<void> => {
      for (const event of events) await check(event)
    },
    verdict: async (): Promise<ChainVerdict> => {
      await pass(null)
      return { faults: [...faults, ...sorted(gone, strange)], head: last, unchained }
    },
  }
}

const remember = <Fault>(list: Fault[], fault: Fault) => {
  if (list.length < maxRemembered) list.push(fault)
}

const sorted = (gone: readonly Link[], strange: readonly RecordedEvent[]): ChainFault[] => {
  const goneIds = new Map(gone.map((link) => [link.eventId, link]))
  const strangeIds = new Set(strange.map(({ id }) => id))
  return [
    ...gone.flatMap(({ eventId, number }): ChainFault[] =>
      strangeIds.has(eventId) ? [] : [{ kind: 'removed', number, id: eventId }],
    ),
    ...strange.map(({ id, type, stream, revision }): ChainFault => {
      const from = goneIds.get(id)
      return from
        ? { kind: 'moved', number: from.number, id, type, stream, revision }
        : { kind: 'inserted', id, type, stream, revision }
    }),
  ]
}

const linkReader = (pool: Pool) => {
  let page: Link[] = []
  let at = 0
  let next: Promise<Link[]> | null = linksAfter(pool, 0, pageSize)
  next.catch(() => undefined)

  const turnPage = async () => {
    if (!next) return
    page = await next
    at = 0
    const last = page.at(-1)
    next = last && page.length === pageSize ? linksAfter(pool, last.number, pageSize) : null
    next?.catch(() => undefined)
  }

  return {
    peek: async (): Promise<Link | undefined> => {
      if (at >= page.length) await turnPage()
      return page[at]
    },
    take: (): void => void (at += 1),
  }
}

export const compareWithChain = async (pool: Pool, earlier: readonly Head[]): Promise<ChainFault[]> => {
  const now = await hashesOf(
    pool,
    earlier.map(({ number }) => number),
  )
  return earlier.flatMap(({ number, hash }): ChainFault[] => {
    const found = now.get(number)
    if (found === hash) return []
    return [{ kind: found === undefined ? 'cut' : 'rewritten', number }]
  })
}
