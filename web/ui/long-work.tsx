import { type ReactNode, useEffect, useRef } from 'react'

type LongWorkProps = {
  label: string
  /** Absent while nobody knows how far it is. */
  progress?: { done: number; total: number }
  children: ReactNode
}

/** How far long work is, and that the screen may be left. */
export const LongWork = ({ label, progress, children }: LongWorkProps) => (
  <output className="flex flex-col gap-1 text-sm">
    <span>{children}</span>
    <progress
      aria-label={label}
      max={progress?.total}
      value={progress?.done}
      className="h-2 w-full max-w-form accent-brand-700"
    />
  </output>
)

/** Whether the screen is still shown when its long work ends. */
export const useStillHere = (): (() => boolean) => {
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return () => here.current
}
