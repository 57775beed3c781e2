import { setTimeout as pause } from 'node:timers/promises'

const minPauseMs = 10
const maxPauseMs = 100

/**
 * Answers what `look` answers once it neither throws nor answers false; after `withinMs` its last failure is thrown.
 * The longer it has waited the longer it pauses: every look takes time from what is waited for.
 */
export const eventually = async <Seen>(
  look: () => Seen | Promise<Seen>,
  withinMs = 60_000,
): Promise<Exclude<Seen, false>> => {
  const start = Date.now()
  for (;;) {
    let failure: unknown
    try {
      const seen = await look()
      if (seen !== false) return seen as Exclude<Seen, false>
      failure = new Error(`Not so within ${withinMs} ms`)
    } catch (error) {
      failure = error
    }
    const waited = Date.now() - start
    if (waited > withinMs) throw failure
    await pause(Math.min(minPauseMs + waited / 2, maxPauseMs))
  }
}
