import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { classes } from '../lib/classes'

/** The waits of the spec before a tooltip opens, in ms (parent-and-teacher.md section 9). */
export const tooltipDelay = { menu: 300, elsewhere: 700 } as const

type TooltipProps = {
  /** Without words nothing opens. */
  text: string
  /** ms before it opens; 700 unless told. */
  delay?: number
  /** The control it explains; it is described by the text. */
  children: (described: { 'aria-describedby': string | undefined }) => ReactNode
  className?: string
  /** Above the middle of the control, or below its end, where it covers nothing that comes before. */
  place?: 'above' | 'below'
}

/** A line of explanation over a control, after a wait, on hover or focus; Escape closes it. */
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
  const show = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), delay)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && hide()
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for the control inside it
    <span
      className={classes('relative inline-flex', className)}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {children({ 'aria-describedby': shown ? id : undefined })}
      {shown ? (
        <span
          role="tooltip"
          id={id}
          className={classes(
            'absolute z-20 w-max max-w-56 rounded-md bg-sand-800 px-2.5 py-1.5 text-xs text-white shadow-raised',
            place === 'below' ? 'top-full right-0 mt-2' : 'bottom-full left-1/2 mb-2 -translate-x-1/2',
          )}
        >
          {text}
        </span>
      ) : null}
    </span>
  )
}
