import type { Database } from './database'
import type { EventStore, Position } from './event-store/event-store'
import type { JobQueue } from './jobs/job'
import type { Log } from './log'

export type Ports = {
  database: Database
  eventStore: EventStore
  queue: JobQueue
  notifications: Notifications
  mailer: Mailer
  /** Null: SMS are not available. */
  sms: SmsGateway | null
  now: Now
  log: Log
  /** IANA name. */
  zone: string
  schoolName: string
  publicUrl: string
  /** Resolves once the views include this position. Routes need not ask: their answers wait for what they wrote. */
  viewsInclude: (position: Position) => Promise<void>
}

export type Now = () => Date

/** `id` (UUID) identifies the message: sent twice it is the same. `from` defaults to the configured sender; `html` has the words of `text`. */
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

/** `id` (UUID) identifies the message; `to` is international, `+260971234567`. */
export type Sms = { id: string; writtenAt: Date; to: string; text: string }

/** `not-taken`: surely not sent; `forGood` when this number never works, `isAway` when nobody answered. `unclear`: perhaps sent. `why` names neither number nor text. */
export type SmsAnswer =
  | { kind: 'taken' }
  | { kind: 'not-taken'; why: string; forGood: boolean; isAway?: true }
  | { kind: 'unclear'; why: string }

/** Answers within 15 s; never throws for the gateway. */
export type SmsGateway = { send: (sms: Sms) => Promise<SmsAnswer> }

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

export type Lock = {
  /** Resolves when the lock is lost: its connection broke or another took it over. */
  lost: Promise<void>
  end: () => Promise<void>
}

/** A dead process loses its locks; one silent for 10 s loses those awaited with `relieve`, so its late work must be harmless. */
export type Locks = {
  /** Null while anybody holds it. */
  tryAcquire: (name: string, options?: { relieve?: boolean }) => Promise<Lock | null>
  /** Takes it from its holder; throws after 10 s. */
  takeOver: (name: string) => Promise<Lock>
  isHeld: (name: string) => Promise<boolean>
  close: () => Promise<void>
}
