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
