// What the browser would not store or, where it is null, not remove: a private window, cookies that are blocked, or no room left.
const kept = new Map<string, string | null>()
const listeners = new Set<() => void>()

const tryStorage = <Result>(act: (storage: Storage) => Result): Result | undefined => {
  try {
    return act(window.localStorage)
  } catch {
    return undefined
  }
}

/** The text under this key in the browser's storage; where that refuses, what this page has kept in memory; else null. */
export const readDevice = (key: string): string | null =>
  (kept.has(key) ? kept.get(key) : tryStorage((storage) => storage.getItem(key))) ?? null

/** Stores the text; where the browser refuses, this page keeps it in memory until it is closed. Never throws. */
export const writeDevice = (key: string, text: string): void => {
  const isStored = tryStorage((storage) => {
    storage.setItem(key, text)
    // Some take everything and keep nothing, or do not give it back.
    return storage.getItem(key) === text
  })
  if (isStored) kept.delete(key)
  else {
    // What the storage still holds is older.
    tryStorage((storage) => storage.removeItem(key))
    kept.set(key, text)
  }
  for (const listener of listeners) listener()
}

export const removeFromDevice = (key: string): void => {
  const isRemoved = tryStorage((storage) => {
    storage.removeItem(key)
    return true
  })
  if (isRemoved) kept.delete(key)
  else kept.set(key, null)
  for (const listener of listeners) listener()
}

/** All keys that begin like this. */
export const keysOnDevice = (prefix: string): string[] => {
  const stored = tryStorage((storage) => Object.keys(storage)) ?? []
  return [...new Set([...stored, ...kept.keys()])].filter(
    (key) => key.startsWith(prefix) && kept.get(key) !== null,
  )
}

/** Whether this text is lost when the page is closed, since the browser would not store it. */
export const isInMemoryOnly = (key: string): boolean => typeof kept.get(key) === 'string'

/** Calls `listener` after each change, also by another tab; answers how to stop. */
export const subscribeToDevice = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The browser's database for what may not outlive a sign-out, such as a list of children. */
export const privateDatabase = 'tuckshop-private'

/** Removes what is private from this device. Ends when it is gone, or will be as soon as another tab lets go of it. */
export const forgetPrivateData = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers have no such store, as in a private window; then there is nothing to remove either.
    const request = deletion()
    if (!request) return resolve()
    for (const end of ['success', 'error', 'blocked']) request.addEventListener(end, () => resolve())
  })

// One that blocks all storage throws already where the store is named.
const deletion = (): IDBOpenDBRequest | undefined => {
  try {
    return globalThis.indexedDB?.deleteDatabase(privateDatabase)
  } catch {
    return undefined
  }
}
