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
