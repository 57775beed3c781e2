import type { Database } from '#platform/database'

/** What the books need of the process and of the other contexts. */
export type BooksNeeds = {
  database: Database
  /** IANA name of the school's time zone. */
  zone: string
}
