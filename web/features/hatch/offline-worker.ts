/**
 * Has the browser store what the hatch needs to open without a network. A newer release that is stored whole begins now,
 * at an opening, and the page is loaded anew with it; with another page of the hatch open it waits.
 */
export const openHatchOffline = async (): Promise<void> => {
  // A device that runs out of room then removes what other sites have stored, not the marks that wait.
  void navigator.storage?.persist()
  const workers = navigator.serviceWorker
  const registration = await workers.register('/serve-sw.js', { scope: '/serve', updateViaCache: 'none' })
  if (!registration.waiting) return
  workers.addEventListener('controllerchange', () => window.location.reload(), { once: true })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  registration.waiting.postMessage('take over')
}
