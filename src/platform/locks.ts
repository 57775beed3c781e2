/** The right to do what only one process at a time may do. */
export type Lock = {
  /** Resolves when the lock is over without our doing: its connection broke, or somebody taken over it. */
  lost: Promise<void>
  end: () => Promise<void>
}

/**
 * Locks by name, among all processes on one database. A process that dies has lost its locks. One that hangs loses those
 * that another waits for with `relieve`, once it has shown no sign of life for 10 s: what it did under them must do no
 * harm when it is late.
 */
export type Locks = {
  /** The lock of that name, or null while somebody has it, in this process or another. */
  tryAcquire: (name: string, options?: { relieve?: boolean }) => Promise<Lock | null>
  /** The lock of that name, taken from whoever has it; throws when it cannot be had within 10 s. */
  takeOver: (name: string) => Promise<Lock>
  /** Whether anybody has the lock of that name, in this process or another. */
  isHeld: (name: string) => Promise<boolean>
  close: () => Promise<void>
}
