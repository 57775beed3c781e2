import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classes } from '../../lib/classes'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Icon, type IconName } from '../../ui/icon'
import { useNavigate } from 'react-router-dom'

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
  /** What is to be known, in paragraphs; announced together with the title whenever it changes. */
  children: ReactNode
  /** What can be done, below it. */
  actions?: ReactNode
}

/** What somebody who comes back from the payment page is told. The title has the focus when it is first shown. */
export const ReturnScreen = ({ outcome, title, children, actions }: ReturnScreenProps) => {
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
    </Card>
  )
}

type LeaveActionsProps = {
  leave: TimedLeave
  /** Where it leads besides home. */
  also?: { label: string; icon: IconName; to: string }
  /** Something else is what most want. */
  isSecond?: boolean
}

/** The ways from the page; whoever reads on can stop it from going by itself, and has the focus on the way home then. */
export const LeaveActions = ({ leave: { leaving, stay, go }, also, isSecond }: LeaveActionsProps) => {
  const home = useRef<HTMLButtonElement>(null)
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

/** How long a return page stays, in ms (administrator.md section 9). */
export const leaveAfterMs = { success: 3000, failure: 5000, cancelled: 1500 } as const

type TimedLeave = {
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
