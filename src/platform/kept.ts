import type { Notices } from './notices'

// A notice can be lost with the process that should have sent it; so old a value is read again.
const longestMs = 30_000

/** `changed` is called once a write is committed; whoever reads afterwards, here, reads what was written. */
export type Kept<Value> = { read: () => Promise<Value>; changed: () => void }

type Commands = Record<string, (...words: never[]) => Promise<unknown>>

/** The same commands; after each, also after one that failed on its way, `changed` is called. */
export const telling = <These extends Commands>(commands: These, changed: () => void): These =>
  Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [
      name,
      (...words: never[]) => command(...words).finally(changed),
    ]),
  ) as These

/**
 * A value that everybody reads and few change, kept in each process until one of them says that it has changed. For
 * what is shown; a decision reads the rows themselves.
 */
export const kept = <Value>(
  {
    notices,
    clock = () => performance.now(),
  }: { notices: Pick<Notices, 'hear' | 'sender'>; clock?: () => number },
  channel: string,
  load: () => Promise<Value>,
): Kept<Value> => {
  let held: { value: Promise<Value>; until: number } | null = null
  const forget = () => {
    held = null
  }
  notices.hear(channel, forget)
  const tell = notices.sender(channel, (waiting) => waiting)

  return {
    read: () => {
      if (held !== null && clock() < held.until) return held.value
      const value = load()
      const mine = { value, until: clock() + longestMs }
      held = mine
      // A failure is for those who waited for it, not for those who come later.
      value.catch(() => {
        if (held === mine) forget()
      })
      return value
    },
    changed: () => {
      forget()
      tell('changed')
    },
  }
}
