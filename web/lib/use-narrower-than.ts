import { useSyncExternalStore } from 'react'

/** Where the layout changes, in px: the mobile breakpoint of the spec. */
export const breakpoints = { mobile: 768 } as const

/** Whether the window is narrower than `px`; follows it. */
export const useNarrowerThan = (px: number): boolean => {
  const query = `(max-width: ${px - 0.02}px)`
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
