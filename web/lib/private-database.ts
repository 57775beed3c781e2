/** The browser's database for what may not outlive a sign-out, such as a list of children. */
export const privateDatabase = 'tuckshop-private'

/** Removes what is private from this device. Ends when it is gone, or will be as soon as another tab lets go of it. */
export const forgetPrivateData = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers have no such store, as in a private window; then there is nothing to remove either.
    const request = globalThis.indexedDB?.deleteDatabase(privateDatabase)
    if (!request) return resolve()
    for (const end of ['success', 'error', 'blocked']) request.addEventListener(end, () => resolve())
  })
