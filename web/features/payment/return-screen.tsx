import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { classes } from '../../lib/classes'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Icon, type IconName } from '../../ui/icon'

const outcomes = {
  waiting: { icon: 'refresh', tint: 'bg-brand-50 text-brand-700' },
  good: { icon: 'check', tint: 'bg-brand-50 text-brand-700' },
  bad: { icon: 'alert', tint: 'bg-danger-50 text-danger-600' },
  later: { icon: 'clock', tint: 'bg-info-50 text-info-700' },
  stopped: { icon: 'wallet', tint: 'bg-accent-50 text-accent-600' },
} as const satisfies Record<string, { icon: IconName; tint: string }>

export type Outcome = keyof typeof outcomes

type ReturnScreenProps = {
  outcome: Outcome
  title: string
  /** Announced with the title when it changes. */
  children: ReactNode
  actions?: ReactNode
  /** Under the actions, so that they stay in sight. */
  below?: ReactNode
}

/** Focuses the title at first. */
export const ReturnScreen = ({ outcome, title, children, actions, below }: ReturnScreenProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { icon, tint } = outcomes[outcome]
  return (
    <Card className="flex w-full max-w-form flex-col items-center gap-4 p-5 text-center sm:gap-5 sm:p-8">
      <span className={classes('rounded-xl p-2 sm:p-4', tint)}>
        <Icon name={icon} size="xl" className={outcome === 'waiting' ? 'animate-spin' : undefined} />
      </span>
      <div aria-live="polite" aria-atomic="true" className="flex w-full flex-col gap-3">
        <h1 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold outline-none">
          {title}
        </h1>
        {children}
      </div>
      {actions ? <div className="flex w-full flex-col gap-3">{actions}</div> : null}
      {below}
    </Card>
  )
}

type LeaveActionsProps = {
  leave: TimedLeave
  /** A link besides home. */
  also?: { label: string; icon: IconName; to: string }
  /** Another action is primary. */
  isSecond?: boolean
}

/** Stopping the redirect takes its button, and moves the focus from there to the way home. */
export const LeaveActions = ({ leave, also, isSecond }: LeaveActionsProps) => {
  const { leaving, stay, seen, go } = leave
  const home = useRef<HTMLButtonElement>(null)
  useEffect(() => whenSeen(home.current!, seen), [seen])
  const wasLeaving = useRef(leaving)
  useEffect(() => {
    if (wasLeaving.current && !leaving && document.activeElement === document.body) home.current?.focus()
    wasLeaving.current = leaving
  }, [leaving])
  const stayHere = () => {
    stay()
    home.current?.focus()
  }
  return (
    <>
      <Button ref={home} variant={isSecond ? 'ghost' : 'primary'} onClick={() => go(paths.home)}>
        Return to Home
      </Button>
      {also ? (
        <Button variant="secondary" icon={also.icon} onClick={() => go(also.to)}>
          {also.label}
        </Button>
      ) : null}
      {leaving ? (
        <Button variant="ghost" className="-my-2" onClick={stayHere}>
          Stay on this page
        </Button>
      ) : null}
    </>
  )
}

/** Calls once the button is inside the window; answers how to cancel. */
const whenSeen = (button: HTMLElement, seen: () => void): (() => void) | undefined => {
  const { top, bottom } = button.getBoundingClientRect()
  if (top >= 0 && bottom <= window.innerHeight) return (seen(), undefined)
  const observer = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && seen())
  observer.observe(button)
  return () => observer.disconnect()
}

/** administrator.md section 9. */
export const leaveAfterMs = { success: 3000, failure: 5000, cancelled: 1500 } as const

type TimedLeave = {
  /** A redirect is scheduled. */
  leaving: boolean
  stay: () => void
  /** The way home is in sight: the time begins. */
  seen: () => void
  go: (to: string) => void
}

const signsOfLife = ['pointerdown', 'keydown', 'focusin', 'wheel'] as const

/** Null disables it. Whoever presses or focuses something stays. */
export const useTimedLeave = (to: string, afterMs: number | null): TimedLeave => {
  const navigate = useNavigate()
  const [stopped, setStopped] = useState(false)
  const [isSeen, setSeen] = useState(false)
  const leaving = afterMs !== null && !stopped
  useEffect(() => {
    if (!leaving || !isSeen) return undefined
    const timer = setTimeout(() => void navigate(to, { replace: true }), afterMs)
    const stay = () => setStopped(true)
    for (const sign of signsOfLife) document.addEventListener(sign, stay)
    return () => {
      clearTimeout(timer)
      for (const sign of signsOfLife) document.removeEventListener(sign, stay)
    }
  }, [leaving, isSeen, to, afterMs, navigate])
  const seen = useCallback(() => setSeen(true), [])
  return { leaving, seen, stay: () => setStopped(true), go: (next) => void navigate(next, { replace: true }) }
}
