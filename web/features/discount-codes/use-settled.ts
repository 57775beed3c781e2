import { useEffect, useState } from 'react'

/** The text once nothing was typed for `quietMs` milliseconds. */
export const useSettled = (text: string, quietMs: number): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), quietMs)
    return () => clearTimeout(timer)
  }, [text, quietMs])
  return settled
}
