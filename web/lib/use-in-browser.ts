import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** A value of this browser; `drawn` while the screen is as the build has drawn it, which knows of no browser. */
export const useInBrowser = <Value>(read: () => Value, drawn: Value): Value =>
  useSyncExternalStore(never, read, () => drawn)
