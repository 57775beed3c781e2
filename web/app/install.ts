/** Gives the browser the page to show without a connection, which also lets people install the application. */
export const install = (): void => {
  // Not on a page without TLS, and not where the owner of the device forbids it: then there is no such page.
  navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
}
