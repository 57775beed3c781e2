import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../lib/classes'

/** The waits of the spec before a tooltip opens, in ms (parent-and-teacher.md section 9). */
export const tooltipDelay = { menu: 300, elsewhere: 700 } as const

type TooltipProps = {
  /** Without words nothing opens. */
  text: string
  /** ms before it opens; 700 by default. */
  delay?: number
  /** The control it explains; it is described by the text. */
  children: (described: { 'aria-describedby': string | undefined }) => ReactNode
  className?: string
  /** Above the middle of the control, or below its end, where it covers nothing that comes before. */
  place?: 'above' | 'below'
}

/** ms a tooltip stays under a finger, which has no other way to leave it. */
const touched = 3000

/**
 * A line of explanation over a control, after a wait, on hover or focus, or a touch, and then for 3 s; Escape closes it.
 * It must not be the only place that says something.
 */
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
