import { useEffect, useState, useDeferredValue } from 'react'

/** The time of the device in ms, taken anew every `everyMs`. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const update = () => setNow(Date.now())
    const timer = setInterval(update, everyMs)
    // A device that slept has kept the timer waiting.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [everyMs])
  return now
}

/** Whether this many ms have passed since it was first drawn. */
export const useIsLater = (ms: number): boolean => {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}

/** The value once it has not changed for `ms` milliseconds: what is asked for while somebody types. */
export const usePaused = (value: string, ms: number): string => {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return useDeferredValue(paused)
}

/** Calls `act` once the screen shows what was drawn last; answers how to call that off. */
export const afterPaint = (act: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
