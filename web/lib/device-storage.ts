// What the browser refused to store or (null) remove: private windows, blocked cookies, no room.
const kept = new Map<string, string | null>()
const listeners = new Set<() => void>()

const tryStorage = <Result>(act: (storage: Storage) => Result): Result | undefined => {
  try {
    return act(window.localStorage)
  } catch {
    return undefined
  }
}

/** From storage, else from this page's memory; else null. */
export const readDevice = (key: string): string | null =>
  (kept.has(key) ? kept.get(key) : tryStorage((storage) => storage.getItem(key))) ?? null

/** Falls back to memory until the page closes. Never throws. */
export const writeDevice = (key: string, text: string): void => {
  const isStored = tryStorage((storage) => {
    storage.setItem(key, text)
    // Some browsers accept everything and keep nothing.
    return storage.getItem(key) === text
  })
  if (isStored) kept.delete(key)
  else {
    // The stored value is outdated.
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

export const keysOnDevice = (prefix: string): string[] => {
  const stored = tryStorage((storage) => Object.keys(storage)) ?? []
  return [...new Set([...stored, ...kept.keys()])].filter(
    (key) => key.startsWith(prefix) && kept.get(key) !== null,
  )
}

/** Lost when the page closes. */
export const isInMemoryOnly = (key: string): boolean => typeof kept.get(key) === 'string'

/** Includes other tabs; answers how to stop. */
export const subscribeToDevice = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Database for data that must not outlive a sign-out, such as children. */
export const privateDatabase = 'tuckshop-private'

/** Resolves when private data is gone, or will be once other tabs close it. */
export const forgetPrivateData = (): Promise<void> =>
  new Promise((resolve) => {
    // Private windows may have no such store.
    const request = deletion()
    if (!request) return resolve()
    for (const end of ['success', 'error', 'blocked']) request.addEventListener(end, () => resolve())
  })

// Blocking all storage throws on access.
const deletion = (): IDBOpenDBRequest | undefined => {
  try {
    return globalThis.indexedDB?.deleteDatabase(privateDatabase)
  } catch {
    return undefined
  }
}
