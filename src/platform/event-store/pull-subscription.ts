import type { BatchHandler, Position, RecordedEvent, Subscription } from './event-store'

/**
 * One readPage at the store. `after` is how far it reached, past events nobody asked for too. `next` says what follows:
 * `more` are there already, `soon` some are there that may not be delivered yet, `wait` until somebody appends.
 */
export type Page = { events: RecordedEvent[]; after: Position; next: 'more' | 'soon' | 'wait' }

const minPauseMs = 4
const maxPauseMs = 128

/**
 * A subscription over a store that is polled: read a page, hand it over, sleep until woken. `pollMs` is the net below a
 * lost wake-up; null where none can be lost.
 */
export const pullSubscription = (needs: {
  from: Position
  readPage: (after: Position) => Promise<Page>
  onBatch: BatchHandler
  pollMs: number | null
}): Subscription & { wake: () => void } => {
  const rest = restful()
  const closing = new AbortController()

  const startPage = (after: Position): Promise<Page> => {
    // Whatever comes from here on asks for another readPage.
    rest.forget()
    const readPage = needs.readPage(after)
    // It may be given up while it runs ahead of a handler that fails.
    readPage.catch(() => undefined)
    return readPage
  }

  const run = async () => {
    let reading = startPage(needs.from)
    let pauseMs = minPauseMs
    while (!closing.signal.aborted) {
      const { events, after, next } = await reading
      const ahead = next === 'more' ? startPage(after) : null
      if (!closing.signal.aborted && events.length > 0) await needs.onBatch(events)
      if (!ahead) {
        await rest.until(next === 'soon' ? pauseMs : needs.pollMs)
        pauseMs = next === 'soon' ? Math.min(pauseMs * 2, maxPauseMs) : minPauseMs
      }
      reading = ahead ?? startPage(after)
    }
    await reading
  }

  const done = run()
  // Who does not watch `done` still learns of nothing twice: closing waits for it without a rejection of its own.
  const ended = done.catch(() => undefined)
  const close = async () => {
    closing.abort()
    rest.wake()
    await ended
  }
  return { close, done, wake: rest.wake }
}

/** A rest that a wake-up ends at once, also one that came since `forget`. */
const restful = () => {
  let woken = false
  let rise: (() => void) | null = null
  const until = (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      if (woken) return resolve()
      const timer = ms === null ? undefined : setTimeout(() => rise?.(), ms)
      rise = () => {
        clearTimeout(timer)
        rise = null
        resolve()
      }
    })
  const wake = () => {
    woken = true
    rise?.()
  }
  return { until, wake, forget: () => void (woken = false) }
}
