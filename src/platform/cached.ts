import type { Notifications } from './notifications'

// A notification can be lost with the process that should have sent it; after so long the value is loaded again.
const longestMs = 30_000

/** `changed` is called once a write is committed; whoever reads afterwards, in this process, reads what was written. */
type Cached<Value> = { read: () => Promise<Value>; changed: () => void }

type Commands = Record<string, (...words: never[]) => Promise<unknown>>

/** The same commands; after each, also after one that failed, `changed` is called. */
export const invalidating = <These extends Commands>(commands: These, changed: () => void): These =>
  Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [
      name,
      (...words: never[]) => command(...words).finally(changed),
    ]),
  ) as These

/**
 * A value that everybody reads and few change, held in each process until one of them says on `channel` that it has
 * changed. For what is shown; a decision reads the rows themselves.
 */
export const cached = <Value>(
  notifications: Pick<Notifications, 'subscribe' | 'publisher'>,
  channel: string,
  load: () => Promise<Value>,
): Cached<Value> => {
  let value: Promise<Value> | null = null
  const forget = () => {
    value = null
  }
  notifications.subscribe(channel, forget)
  const publish = notifications.publisher(channel, (waiting) => waiting)

  const loadAndHold = () => {
    const loading = load()
    value = loading
    const forgetThis = () => {
      if (value === loading) forget()
    }
    // A failure is for those who waited for it, not for those who come later.
    loading.catch(forgetThis)
    setTimeout(forgetThis, longestMs).unref()
    return loading
  }

  return {
    read: () => value ?? loadAndHold(),
    changed: () => {
      forget()
      publish('changed')
    },
  }
}
