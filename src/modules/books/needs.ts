import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'

/** What the books need of the process and of the other contexts. */
export type BooksNeeds = {
  database: Database
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
}
