import { setTimeout as pause } from 'node:timers/promises'

/** Answers what `look` answers once it neither throws nor answers false; after `withinMs` its last failure is thrown. */
export const eventually = async <Seen>(
  look: () => Seen | Promise<Seen>,
  withinMs = 20_000,
): Promise<Exclude<Seen, false>> => {
  const deadline = Date.now() + withinMs
  for (;;) {
    let failure: unknown
    try {
      const seen = await look()
      if (seen !== false) return seen as Exclude<Seen, false>
      failure = new Error(`Not so within ${withinMs} ms`)
    } catch (error) {
      failure = error
    }
    if (Date.now() > deadline) throw failure
    await pause(5)
  }
}
