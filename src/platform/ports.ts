import type { Now } from './clock'
import type { Database } from './database'
import type { EventStore, Position } from './event-store/event-store'
import type { JobQueue } from './jobs/job'
import type { Log } from './log'
import type { Mailer } from './mail'
import type { Notifications } from './notifications'
import type { SmsGateway } from './sms'

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
  /** Resolves once the views include this position. */
  waitForViews: (position: Position) => Promise<void>
}
