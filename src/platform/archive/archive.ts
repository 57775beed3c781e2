/** Gzip text: `["tuckshop archive", head]`, then per part `["part", name]` and its rows as objects, last `["manifest", manifest]`. */
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

/** `head` is the SHA-256 of the first line. */
export type Manifest = { head: string; parts: PartSum[] }
