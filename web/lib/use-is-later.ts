import { useEffect, useState } from 'react'

/** Whether this many ms have passed since it was first drawn. */
export const useIsLater = (ms: number): boolean => {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}
