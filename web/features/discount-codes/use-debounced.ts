import { useEffect, useState } from 'react'

/** The text once nothing was typed for `debounceMs` milliseconds. */
export const useDebounced = (text: string, debounceMs: number): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text, debounceMs])
  return settled
}
