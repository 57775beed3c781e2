import type { ButtonHTMLAttributes, Ref } from 'react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

const variants = {
  plain: 'text-muted hover:bg-sand-100 hover:text-ink',
  danger: 'text-danger-600 hover:bg-danger-50',
  onBrand: 'text-head-ink hover:bg-head-raised',
} as const

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  icon: IconName
  /** What it does, for screen readers and as the tooltip of the browser. */
  label: string
  variant?: keyof typeof variants
  ref?: Ref<HTMLButtonElement>
}

/** A button that is only a drawing, 44 px at least. */
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
