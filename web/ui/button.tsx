import type { ButtonHTMLAttributes, Ref } from 'react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger'
  size?: 'sm' | 'md'
  icon?: IconName
  /** Ignores presses and shows `busyLabel`. */
  busy?: boolean
  busyLabel?: string
  ref?: Ref<HTMLButtonElement>
}

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
    // oxlint-disable-next-line react/button-has-type -- the caller's choice, `button` by default
    type={type}
    disabled={disabled || busy}
    aria-busy={busy || undefined}
    className={classes(`btn btn-${variant} btn-${size}`, className)}
  >
    {busy ? (
      <Icon name="refresh" size="sm" className="animate-spin" />
    ) : (
      icon && <Icon name={icon} size="sm" />
    )}
    <span>{busy && busyLabel ? busyLabel : children}</span>
  </button>
)

const variants = {
  plain: 'text-muted hover:bg-sand-100 hover:text-ink',
  danger: 'text-danger-600 hover:bg-danger-50',
  onBrand: 'text-head-ink hover:bg-head-raised',
} as const

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  icon: IconName
  /** Accessible name and tooltip. */
  label: string
  variant?: keyof typeof variants
  ref?: Ref<HTMLButtonElement>
}

/** At least 44 px. */
export const IconButton = ({ icon, label, variant = 'plain', className, ...rest }: IconButtonProps) => (
  <button
    type="button"
    {...rest}
    aria-label={label}
    title={label}
    className={classes(
      'tap inline-grid place-items-center rounded-md transition-colors disabled:cursor-not-allowed disabled:opacity-50',
      variants[variant],
      className,
    )}
  >
    <Icon name={icon} />
  </button>
)
