/**
 * Has the browser store what the hatch needs to open without a network; a newer release that it finds is shown at the
 * next opening.
 */
export const openHatchOffline = async (): Promise<void> => {
  // A device that runs out of room then removes what other sites have stored, not the marks that wait.
  void navigator.storage?.persist()
  await navigator.serviceWorker.register('/serve-sw.js', { scope: '/serve', updateViaCache: 'none' })
}
