import type { Notices } from '#platform/notices'

/** Notices of a process that is alone. `missed` tells all who listen that some may have been lost. */
export const quietNotices = () => {
  const listeners: ((message: string | null) => void)[] = []
  const notices: Pick<Notices, 'hear' | 'sender'> = {
    hear: (_channel, heard) => {
      listeners.push(heard)
      return () => undefined
    },
    sender: () => () => undefined,
  }
  return { notices, missed: () => listeners.forEach((heard) => heard(null)) }
}
