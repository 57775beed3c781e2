import type { Notifications } from '#platform/ports'

/** Notifications of a process that is alone. `missed` tells all who listen that some may have been lost. */
export const quietNotices = () => {
  const listeners: ((message: string | null) => void)[] = []
  const notifications: Pick<Notifications, 'subscribe' | 'publisher'> = {
    subscribe: (_channel, heard) => {
      listeners.push(heard)
      return () => undefined
    },
    publisher: () => () => undefined,
  }
  return { notifications, missed: () => listeners.forEach((heard) => heard(null)) }
}
