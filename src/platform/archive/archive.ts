/**
 * One gzip'd text file that holds a school, a line each: marks are JSON arrays, rows are JSON objects. First
 * `["tuckshop archive", head]`, then for each part `["part", name]` and its rows, last `["manifest", manifest]`.
 */
export const archiveMark = 'tuckshop archive'

/** Changes when an older program could not read the file as it is meant. */
export const archiveVersion = 1

export type ArchiveHead = {
  version: number
  /** When it was begun, an ISO instant of the application's clock. */
  madeAt: string
  school: string
  /** The school's id; '' in archives from before it was kept, which fit no program of today. */
  schoolId: string
  /** The names of all migrations in the database it was made from: rows fit only tables of the same shape. */
  migrations: string[]
}

/** What a part holds: how many rows, and the SHA-256 of their lines. */
export type PartSum = { part: string; rows: number; sha256: string }

/** Stands at the end, since only then it is known; `head` is the SHA-256 of the first line. */
export type Manifest = { head: string; parts: PartSum[] }
