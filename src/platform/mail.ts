/**
 * One message, known by its `id` (a UUID): sent twice it is the same message. `from` is the configured sender when
 * absent; `text` is always there, `html` may accompany it.
 */
export type Mail = {
  id: string
  writtenAt: Date
  to: string
  subject: string
  text: string
  html?: string
  from?: string
  replyTo?: string
}

/**
 * Sends mail. `send` resolves once the server (or the folder of files) has taken the message and throws when it has
 * not, or has not said so within 60 s: callers are jobs, which try again.
 */
export type Mailer = { send: (mail: Mail) => Promise<void> }
