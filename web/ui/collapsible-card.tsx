import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Card } from './card'
import { Icon, type IconName } from './icon'

type CollapsibleCardProps = {
  title: string
  hint?: string
  icon?: IconName
  open: boolean
  onToggle: () => void
  children: ReactNode
}

/** A card whose heading opens and closes it; closed, its content is not drawn. */
export const CollapsibleCard = ({ title, hint, icon, open, onToggle, children }: CollapsibleCardProps) => {
  const id = useId()
  const heading = useRef<HTMLButtonElement>(null)
  // What had the focus goes with what is folded away.
  useEffect(() => {
    const button = heading.current
    if (!open) return
    return () => {
      if (document.activeElement === document.body) button?.focus()
    }
  }, [open])
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
