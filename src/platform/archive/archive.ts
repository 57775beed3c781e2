/**
 * A school as one gzip text file. Marks are JSON arrays, rows are objects: first `["tuckshop archive", head]`, then per part `["part",
 * name]` and its rows, last `["manifest", manifest]`.
 */
export const archiveMark = 'tuckshop archive'

/** Raised when an older program would misread the file. */
export const archiveVersion = 1

export type ArchiveHead = {
  version: number
  /** Start of the archive by the application's clock (ISO). */
  madeAt: string
  school: string
  /** '' in archives older than school ids, which no program of today accepts. */
  schoolId: string
  migrations: string[]
}

export type PartSum = { part: string; rows: number; sha256: string }

/** Last, since only then it is known; `head` is the SHA-256 of the first line. */
export type Manifest = { head: string; parts: PartSum[] }
