/** Best-effort messages between a school's processes, replacing polls: listeners need a fallback. A process does not get its own. */
export type Notifications = {
  /** `onMessage` gets messages of other processes, and null when some may be lost (at first, after a reconnect). Answers how to stop. */
  subscribe: (channel: string, onMessage: (message: string | null) => void) => () => void
  /** Sends on `channel` at once, or merged while another is in flight. At most 7,000 bytes, outside transactions. */
  publisher: (
    channel: string,
    merge: (waiting: string, message: string) => string,
  ) => (message: string) => void
  close: () => Promise<void>
}
