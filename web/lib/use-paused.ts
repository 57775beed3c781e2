import { useDeferredValue, useEffect, useState } from 'react'

/** The value once it has not changed for `ms` milliseconds: what is asked for while somebody types. */
export const usePaused = (value: string, ms: number): string => {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return useDeferredValue(paused)
}
