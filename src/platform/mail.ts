/** `id` (UUID) identifies the message: sent twice it is the same. `from` defaults to the configured sender; `html` may accompany `text`. */
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

/** Resolves when the server (or folder) accepted the message; throws otherwise or after 60 s. Callers are retried jobs. */
export type Mailer = { send: (mail: Mail) => Promise<void> }
