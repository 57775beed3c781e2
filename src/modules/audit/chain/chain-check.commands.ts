import type { Pool } from 'pg'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { chainHead, chainStart, hashesOf, linkHash, linksAfter, type Head, type Link } from './chain.process'
import type { ChainFault } from './chain-fault'

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
