import type { ReactNode } from 'react'
import { classes } from '../lib/classes'
import { Icon, type IconName } from './icon'

const tones = {
  neutral: 'bg-sand-100 text-sand-800 border-sand-300',
  brand: 'bg-brand-50 text-brand-800 border-brand-200',
  accent: 'bg-accent-100 text-accent-800 border-accent-200',
  warning: 'bg-warning-50 text-warning-700 border-warning-200',
  danger: 'bg-danger-50 text-danger-700 border-danger-200',
  info: 'bg-info-50 text-info-700 border-info-100',
} as const
export type Tone = keyof typeof tones

/** A short state in a small frame; the words say it, the tone only helps. */
export const Badge = ({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone
  icon?: IconName
  children: ReactNode
}) => (
  <span className={classes('badge print:border-line', tones[tone])}>
    {icon ? <Icon name={icon} size="sm" /> : null}
    {children}
  </span>
)
