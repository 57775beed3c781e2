import { readDevice, writeDevice } from '../../../lib/device-storage'

// Not among the keys that go with a sign-out: marks that wait stay, and are asked about at the next one.
const key = 'hatch-on-this-device'

/** Whether the hatch was ever open on this device, so that marks may wait here. */
export const isHatchHere = (): boolean => readDevice(key) !== null

export const rememberHatchDevice = (): void => writeDevice(key, 'yes')

/** Has the browser put the hatch on the home screen in place of the portal; answers how to take that back. */
export const offerHatchForHomeScreen = (): (() => void) => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
  const portal = link?.getAttribute('href')
  if (!link || !portal) return () => undefined
  link.href = '/serve.webmanifest'
  return () => void (link.href = portal)
}

/**
 * Has the browser store what the hatch needs to open without a network; a newer release that it finds is shown at the
 * next opening.
 */
export const openHatchOffline = async (): Promise<void> => {
  // A device that runs out of room then removes what other sites have stored, not the marks that wait.
  void navigator.storage?.persist()
  await navigator.serviceWorker.register('/serve-sw.js', { scope: '/serve', updateViaCache: 'none' })
}

let channel: BroadcastChannel | null = null

/** One for this page: it does not hear itself. None where the browser has no such thing. */
const ownChannel = () => {
  if (globalThis.BroadcastChannel) channel ??= new BroadcastChannel('tuckshop-hatch')
  return channel
}

/** Tells the other tabs of this browser that the list or the queue on the device has changed. */
export const tellOtherTabs = (): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
  ownChannel()?.postMessage('changed')

/** Calls `act` when another tab has changed the list or the queue; answers how to stop. */
export const onOtherTabs = (act: () => void): (() => void) => {
  const own = ownChannel()
  own?.addEventListener('message', act)
  return () => own?.removeEventListener('message', act)
}
