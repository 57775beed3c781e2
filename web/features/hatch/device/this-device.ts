import { readDevice, writeDevice } from '../../../lib/device-storage'

// Survives sign-out: waiting marks stay for the next one.
const key = 'hatch-on-this-device'

/** True once the hatch was opened here, so that marks may wait. */
export const isHatchDevice = (): boolean => readDevice(key) !== null

export const rememberHatchDevice = (): void => writeDevice(key, 'yes')

/** Makes the hatch the home screen's start page; answers how to undo that. */
export const offerHatchForHomeScreen = (): (() => void) => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
  const portal = link?.getAttribute('href')
  if (!link || !portal) return () => undefined
  link.href = '/serve.webmanifest'
  return () => void (link.href = portal)
}

/** Caches the hatch for offline use; a newer release shows at the next opening. */
export const openHatchOffline = async (): Promise<void> => {
  // Protects waiting marks from eviction.
  void navigator.storage?.persist()
  await navigator.serviceWorker.register('/serve-sw.js', { scope: '/serve', updateViaCache: 'none' })
}

let channel: BroadcastChannel | null = null

/** A channel does not hear itself. Null where unsupported. */
const ownChannel = () => {
  if (globalThis.BroadcastChannel) channel ??= new BroadcastChannel('tuckshop-hatch')
  return channel
}

/** The stored list or queue changed. */
export const tellOtherTabs = (): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
  ownChannel()?.postMessage('changed')

export const onOtherTabs = (act: () => void): (() => void) => {
  const own = ownChannel()
  own?.addEventListener('message', act)
  return () => own?.removeEventListener('message', act)
}
