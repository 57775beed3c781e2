import { type ReactNode, Fragment } from 'react'
import { classes } from '../lib/classes'
import { kwacha } from '../lib/format'
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

/** `danger`: blocks the meal. */
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

/** Breaks a long name after dots rather than within words. */
export const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[.@_-])/).map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text stay where they are
    <Fragment key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ))

/** Struck through, beside the price to pay. */
export const OldPrice = ({ price, className }: { price: number | string; className: string }) => (
  <s className={className}>
    <span className="sr-only">Instead of </span>
    {kwacha(price)}
  </s>
)
