import type { Esdb } from './connection'
import { lastPosition } from './read'
import { beginning, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import type { Page } from '#platform/event-store/pull-subscription'

export type NewestEvents = {
  /** True if everything after this position is cached; false for a position that no connection has seen: it may be from another store. */
  cover: (after: Position, isKnown: boolean) => Promise<boolean>
  readPage: (
    after: Position,
    most: number,
    isWanted: (event: RecordedEvent) => boolean,
  ) => Promise<Page | null>
  join: (wake: () => void) => () => void
  end: () => void
}

const maxKept = 1_000

type Pages = { readPage: (after: Position) => Promise<Page>; end: () => void }

/** Receives each new event once for all subscriptions of this process: the server would send it twenty times. */
export const newestEvents = (esdb: Esdb, pagesOf: (wake: () => void) => Pages): NewestEvents => {
  const readers = new Set<() => void>()
  const pages = pagesOf(() => readers.forEach((wake) => wake()))
  let kept: RecordedEvent[] = []
  let from = beginning
  let reached = beginning
  let opening: Promise<void> | null = null
  let receiving: Promise<Page['next']> | null = null

  const start = async () => {
    from = reached = await lastPosition(esdb, beginning)
  }
  const open = () =>
    (opening ??= start().catch((error: unknown) => {
      opening = null
      throw error
    }))

  const receiveAll = async (): Promise<Page['next']> => {
    for (;;) {
      const { events, after, next } = await pages.readPage(reached)
      kept.push(...events)
      reached = after
      if (kept.length > maxKept) {
        const dropped = kept.splice(0, kept.length - maxKept)
        from = dropped.at(-1)!.position
      }
      if (next !== 'more') return next
    }
  }
  const receive = () =>
    (receiving ??= receiveAll().finally(() => {
      receiving = null
    }))

  return {
    cover: async (after, isKnown) => {
      await open()
      return after >= from && (isKnown || after <= reached)
    },
    readPage: async (after, most, isWanted) => {
      const next = await receive()
      if (after < from) return null
      const behind = kept.slice(firstBehind(kept, after))
      const events: RecordedEvent[] = []
      for (const event of behind) {
        if (isWanted(event)) events.push(event)
        if (events.length === most) return { events, after: event.position, next: 'more' }
      }
      return { events, after: reached > after ? reached : after, next: events.length > 0 ? 'more' : next }
    },
    join: (wake) => {
      readers.add(wake)
      return () => void readers.delete(wake)
    },
    end: () => pages.end(),
  }
}

const firstBehind = (events: readonly RecordedEvent[], after: Position): number => {
  const known = events.findLastIndex(({ position }) => position <= after)
  return known + 1
}
