import type { Now } from './clock'
import type { Database } from './database'
import type { EventStore, Position } from './event-store/event-store'
import type { JobQueue } from './jobs/job'
import type { Log } from './log'
import type { Mailer } from './mail'
import type { Notifications } from './notifications'
import type { SmsGateway } from './sms'

/** What the program gives every module: its stores, its ways out, its clock and what the school is called. */
export type Ports = {
  database: Database
  eventStore: EventStore
  queue: JobQueue
  notifications: Notifications
  mailer: Mailer
  /** Null: nobody sends SMS. */
  sms: SmsGateway | null
  now: Now
  log: Log
  /** IANA name of the school's time zone. */
  zone: string
  schoolName: string
  /** The address at which families reach the portal, for links in messages. */
  publicUrl: string
  /** Ends once the views show what was appended at this position. */
  waitForViews: (position: Position) => Promise<void>
}
