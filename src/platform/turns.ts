/** The right to do what only one process at a time may do. */
export type Turn = {
  /** Resolves when the turn is over without our doing: its connection broke, or somebody seized it. */
  lost: Promise<void>
  end: () => Promise<void>
}

/** Turns by name, among all processes on one database. A process that dies has lost its turns. */
export type Turns = {
  /** The turn of that name, or null while somebody has it, in this process or another. */
  take: (name: string) => Promise<Turn | null>
  /** The turn of that name, taken from whoever has it; throws when it cannot be had within 10 s. */
  seize: (name: string) => Promise<Turn>
  close: () => Promise<void>
}
