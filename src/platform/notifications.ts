/**
 * Short messages between the processes of one school, so that none of them has to poll. They may be lost: whoever
 * listens needs a net. A process does not receive its own.
 */
export type Notifications = {
  /**
   * `onMessage` gets each message that another process sends on `channel`, and null whenever some may have been missed
   * (at first and after a broken connection). Answers how to stop.
   */
  subscribe: (channel: string, onMessage: (message: string | null) => void) => () => void
  /**
   * A way to send on `channel`: at once, or together with what gathers while a message is under way; `merge` makes
   * one message of two. Messages are at most 7,000 bytes and sent outside any transaction.
   */
  publisher: (
    channel: string,
    merge: (waiting: string, message: string) => string,
  ) => (message: string) => void
  close: () => Promise<void>
}
