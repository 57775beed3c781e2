import type { Notifications } from './ports'

// Reloads after this time: a notification can be lost with its sender.
const maxAgeMs = 30_000

/** Call `changed` after a commit; later reads in this process see the write. */
type Cached<Value> = { read: () => Promise<Value>; changed: () => void }

type Commands = Record<string, (...words: never[]) => Promise<unknown>>

/** Calls `changed` after each command, also a failed one. */
export const invalidating = <These extends Commands>(commands: These, changed: () => void): These =>
  Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [
      name,
      (...words: never[]) => command(...words).finally(changed),
    ]),
  ) as These

/** A rarely changed value, cached per process until a message on `channel`. For display: a decision reads the rows. */
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
    loading.catch(forgetThis)
    setTimeout(forgetThis, maxAgeMs).unref()
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
