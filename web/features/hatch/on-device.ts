/** The database with the list of the day: children's names. The marks that wait are in another, which stays. */
export const listDatabase = 'tuckshop-hatch-list'

/** Removes the list of the day from this device; what waits to be sent stays. */
export const forgetHatchList = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers have no such store, as in a private window; then there is no list either.
    const request = globalThis.indexedDB?.deleteDatabase(listDatabase)
    if (!request) return resolve()
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => resolve())
  })
