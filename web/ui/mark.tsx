import type { ReactNode } from 'react'
import { classes } from '../lib/classes'
import { Icon } from './icon'

/** A line at something that is to be looked at twice; `danger`: that stands in its way. The words say it, the tone only helps. */
export const Mark = ({ danger, children }: { danger?: boolean; children: ReactNode }) => (
  <p
    className={classes(
      'flex items-start gap-1 text-xs font-semibold',
      danger ? 'text-danger-700' : 'text-warning-700',
    )}
  >
    <Icon name="alert" size="sm" />
    <span className="min-w-0 break-words">{children}</span>
  </p>
)
