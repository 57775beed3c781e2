import type { Esdb } from './connection'
import { lastPosition } from './read'
import { beginning, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import type { Page } from '#platform/event-store/pull-subscription'

/** What subscriptions that have caught up read from, instead of each having the server send the same to it. */
export type NewestEvents = {
  /**
   * Whether everything behind this position is kept here; false also for one that neither the asker's own connection nor
   * this one has come to: it may be none of this store.
   */
  cover: (after: Position, isKnown: boolean) => Promise<boolean>
  /** What is kept behind `after`, at most `most` of the wanted; null when some of it is kept no more. */
  readPage: (
    after: Position,
    most: number,
    isWanted: (event: RecordedEvent) => boolean,
  ) => Promise<Page | null>
  /** Calls `wake` when there is something to read; answers how to stop. */
  join: (wake: () => void) => () => void
  end: () => void
}

const maxKept = 1_000

type Pages = { readPage: (after: Position) => Promise<Page>; end: () => void }

/**
 * The newest events of this application, received once for all subscriptions of this process: each projector and
 * reactor reads every event, and a server that sends each of them twenty times has little time for anything else.
 */
export const newestEvents = (esdb: Esdb, pagesOf: (wake: () => void) => Pages): NewestEvents => {
  const readers = new Set<() => void>()
  const pages = pagesOf(() => readers.forEach((wake) => wake()))
  let kept: RecordedEvent[] = []
  // Everything of ours behind `from` is kept, as far as `reached`.
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
  /** One at a time, whoever asks. */
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

/** The place of the first event behind this position; the events are in the order of their positions. */
const firstBehind = (events: readonly RecordedEvent[], after: Position): number => {
  const known = events.findLastIndex(({ position }) => position <= after)
  return known + 1
}
