import { type HTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react'
import { classes } from '../lib/classes'
import { Button, type ButtonProps } from './button'
import { Icon, type IconName } from './icon'

export const Card = ({ className, ...rest }: HTMLAttributes<HTMLDivElement>) => (
  <div {...rest} className={classes('card', className)} />
)

type CardHeadingProps = { title: ReactNode; hint?: ReactNode; actions?: ReactNode; level?: 1 | 2 | 3 }

/** Actions apply to the whole card. */
export const CardHeading = ({ title, hint, actions, level = 2 }: CardHeadingProps) => {
  const Heading = `h${level}` as const
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-6 sm:pt-5 print:px-0">
      <div>
        <Heading className="font-display text-xl font-semibold wrap-anywhere">{title}</Heading>
        {hint ? <p className="text-sm text-muted">{hint}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  )
}

export const CardBody = ({ className, ...rest }: HTMLAttributes<HTMLDivElement>) => (
  <div {...rest} className={classes('px-4 py-4 sm:px-6 sm:py-5 print:px-0 print:py-2', className)} />
)

type CollapsibleCardProps = {
  title: string
  hint?: string
  icon?: IconName
  open: boolean
  onToggle: () => void
  children: ReactNode
}

/** Closed content is not rendered. */
export const CollapsibleCard = ({ title, hint, icon, open, onToggle, children }: CollapsibleCardProps) => {
  const id = useId()
  const heading = useFocusWhenClosed(open)
  return (
    <Card>
      <h2>
        <button
          ref={heading}
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
          className="flex w-full items-center gap-3 rounded-lg px-4 py-4 text-left hover:bg-sand-50 sm:px-6"
        >
          {icon ? <Icon name={icon} className="text-accent-600" /> : null}
          <span className="min-w-0 flex-1">
            <span className="block font-display text-lg font-semibold sm:text-xl">{title}</span>
            {hint ? <span className="block text-sm text-muted">{hint}</span> : null}
          </span>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} className="text-muted" />
        </button>
      </h2>
      {open ? (
        <div id={id} className="border-t border-line px-4 py-5 sm:px-6">
          {children}
        </div>
      ) : null}
    </Card>
  )
}

// Focus leaves with collapsed content.
const useFocusWhenClosed = (open: boolean) => {
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const button = opener.current
    if (!open) return
    return () => {
      if (document.activeElement === document.body) button?.focus()
    }
  }, [open])
  return opener
}

type OpenButtonProps = ButtonProps & { open: boolean; onToggle: () => void; controls: string }

/** Opens a card elsewhere on the page, by its id. */
export const OpenButton = ({ open, onToggle, controls, ...button }: OpenButtonProps) => {
  const opener = useFocusWhenClosed(open)
  return (
    <Button
      {...button}
      ref={opener}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onToggle}
    />
  )
}
