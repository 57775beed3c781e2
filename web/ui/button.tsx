import type { ButtonHTMLAttributes, Ref } from 'react'
import { classes } from '../lib/classes'
import { Icon } from './icon'
import type { IconName } from './icon'

const looks = {
  primary: 'bg-brand-700 text-white hover:bg-brand-800 active:bg-brand-900 shadow-card',
  secondary: 'border border-sand-300 bg-surface text-ink hover:bg-sand-100 active:bg-sand-200',
  ghost: 'text-brand-700 hover:bg-brand-50 active:bg-brand-100',
  danger: 'bg-danger-600 text-white hover:bg-danger-700 shadow-card',
} as const

/** A button that waits for something: quiet, and readable over whatever lies under it. */
const resting = {
  primary: 'bg-sand-200 text-muted',
  secondary: 'border border-sand-200 bg-sand-50 text-muted',
  ghost: 'text-muted',
  danger: 'bg-sand-200 text-muted',
} as const

const sizes = { sm: 'min-h-9 px-3 text-sm', md: 'min-h-11 px-4 text-base' } as const

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: keyof typeof looks
  size?: keyof typeof sizes
  icon?: IconName
  /** While true the button takes no press, says so to screen readers, and shows `busyLabel` when given. */
  busy?: boolean
  busyLabel?: string
  ref?: Ref<HTMLButtonElement>
}

/** A button with words. `type` is `button` unless told; `busy` keeps its width unless a `busyLabel` replaces the words. */
export const Button = ({
  variant = 'primary',
  size = 'md',
  icon,
  busy = false,
  busyLabel,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    // oxlint-disable-next-line react/button-has-type -- the caller's word, `button` unless told
    type={type}
    disabled={disabled || busy}
    aria-busy={busy || undefined}
    className={classes(
      'inline-flex items-center justify-center gap-2 rounded-md font-semibold transition-colors',
      'disabled:cursor-not-allowed',
      disabled && !busy ? resting[variant] : looks[variant],
      sizes[size],
      className,
    )}
  >
    {busy ? (
      <Icon name="refresh" size="sm" className="animate-spin" />
    ) : (
      icon && <Icon name={icon} size="sm" />
    )}
    <span>{busy && busyLabel ? busyLabel : children}</span>
  </button>
)
