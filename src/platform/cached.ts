import type { Notifications } from './notifications'

// A notice can be lost with the process that should have sent it; so old a value is read again.
const longestMs = 30_000

/** `changed` is called once a write is committed; whoever reads afterwards, here, reads what was written. */
export type Cached<Value> = { read: () => Promise<Value>; changed: () => void }

type Commands = Record<string, (...words: never[]) => Promise<unknown>>

/** The same commands; after each, also after one that failed on its way, `changed` is called. */
export const invalidating = <These extends Commands>(commands: These, changed: () => void): These =>
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
export const cached = <Value>(
  {
    notifications,
    clock = () => performance.now(),
  }: { notifications: Pick<Notifications, 'subscribe' | 'publisher'>; clock?: () => number },
  channel: string,
  load: () => Promise<Value>,
): Cached<Value> => {
  let held: { value: Promise<Value>; until: number } | null = null
  const forget = () => {
    held = null
  }
  notifications.subscribe(channel, forget)
  const publish = notifications.publisher(channel, (waiting) => waiting)

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
      publish('changed')
    },
  }
}
