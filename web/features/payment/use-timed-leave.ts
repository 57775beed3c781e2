import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'

/** How long a return page stays, in ms (administrator.md section 9). */
export const leaveAfterMs = { success: 3000, failure: 5000, cancelled: 1500 } as const

export type TimedLeave = {
  /** Whether it goes on by itself. */
  leaving: boolean
  /** Stops that, for who reads on. */
  stay: () => void
  /** Goes to an address in place of this page, which is nothing to come back to. */
  go: (to: string) => void
}

/** Goes on to this address after so many ms; not by itself when they are null. */
export const useTimedLeave = (to: string, afterMs: number | null): TimedLeave => {
  const navigate = useNavigate()
  const [stopped, setStopped] = useState(false)
  const leaving = afterMs !== null && !stopped
  useEffect(() => {
    if (!leaving) return undefined
    const timer = setTimeout(() => void navigate(to, { replace: true }), afterMs)
    return () => clearTimeout(timer)
  }, [leaving, to, afterMs, navigate])
  return { leaving, stay: () => setStopped(true), go: (next) => void navigate(next, { replace: true }) }
}
