import type { BatchHandler, Position, RecordedEvent, Subscription } from './event-store'

/** `after` also passes events that were not asked for. `next`: `more` are ready, `soon` may not be delivered yet, `wait` for an append. */
export type Page = { events: RecordedEvent[]; after: Position; next: 'more' | 'soon' | 'wait' }

const minPauseMs = 4
const maxPauseMs = 128

/** Reads a page, hands it over, sleeps until woken. `pollMs` covers lost wake-ups; null where none is lost. */
export const pullSubscription = (needs: {
  from: Position
  readPage: (after: Position) => Promise<Page>
  onBatch: BatchHandler
  pollMs: number | null
}): Subscription & { wake: () => void } => {
  const rest = restful()
  const closing = new AbortController()

  const startPage = (after: Position): Promise<Page> => {
    // A wake-up from here on asks for another page.
    rest.forget()
    const readPage = needs.readPage(after)
    // Nobody awaits it when the handler fails first.
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
  // `done` already reports the failure; `close` does not repeat it.
  const ended = done.catch(() => undefined)
  const close = async () => {
    closing.abort()
    rest.wake()
    await ended
  }
  return { close, done, wake: rest.wake }
}

/** A wake-up ends the rest, also one that came since `forget`. */
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
