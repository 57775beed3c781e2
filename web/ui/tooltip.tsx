import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../lib/classes'

/** In ms (parent-and-teacher.md section 9). */
export const tooltipDelay = { menu: 300, elsewhere: 700 } as const

type TooltipProps = {
  /** Empty: no tooltip. */
  text: string
  /** Ms; 700 by default. */
  delay?: number
  /** The described control. */
  children: (described: { 'aria-describedby': string | undefined }) => ReactNode
  className?: string
  /** Above the middle, or below the end where it covers nothing earlier. */
  place?: 'above' | 'below'
}

/** Ms after a touch, which has no hover to end. */
const touched = 3000

/** Opens after a delay on hover or focus, or for 3 s on touch; Escape closes. Never the only source of its text. */
export const Tooltip = ({
  text,
  delay = tooltipDelay.elsewhere,
  children,
  className,
  place,
}: TooltipProps) => {
  const id = useId()
  const [open, setOpen] = useState(false)
  const shown = open && text !== ''
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  const hide = () => {
    clearTimeout(timer.current)
    isTouched.current = false
    setOpen(false)
  }
  const after = (ms: number, act: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(act, ms)
  }
  const show = () =>
    after(delay, () => {
      setOpen(true)
      if (isTouched.current) after(touched, hide)
    })
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    if (shown) document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shown])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the control inside it
    <span
      className={classes('relative inline-flex', className)}
      onTouchStart={() => {
        isTouched.current = true
      }}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children({ 'aria-describedby': shown ? id : undefined })}
      {shown ? (
        <span role="tooltip" id={id} className={classes('tip', place === 'below' && 'tip-below')}>
          {text}
        </span>
      ) : null}
    </span>
  )
}
