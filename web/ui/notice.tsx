import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from '../lib/classes'
import { Button } from './button'
import { Icon, type IconName } from './icon'

const tones = {
  info: 'border-info-100 bg-info-50 text-info-700',
  warning: 'border-warning-200 bg-warning-50 text-warning-700',
  danger: 'border-danger-200 bg-danger-50 text-danger-700',
} as const

type NoticeProps = { tone?: keyof typeof tones; title?: string; children: ReactNode }

export const Notice = ({ tone = 'info', title, children }: NoticeProps) => (
  <div
    role={tone === 'danger' ? 'alert' : undefined}
    className={classes('flex items-start gap-3 rounded-lg border px-4 py-3', tones[tone])}
  >
    <Icon name={tone === 'info' ? 'info' : 'alert'} className="mt-0.5" />
    <div className="flex min-w-0 flex-1 flex-col items-start gap-2 text-sm">
      {title ? <p className="font-semibold">{title}</p> : null}
      {children}
    </div>
  </div>
)

type BannerButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'> & {
  icon: IconName
  title: string
  text: string
}

/** A state in one line of 44 px; the press shows the rest. */
export const BannerButton = ({ icon, title, text, ...rest }: BannerButtonProps) => {
  const isOpen = rest['aria-expanded']
  return (
    <button
      {...rest}
      type="button"
      className={classes(
        'flex min-h-11 w-full items-center gap-2 rounded-lg border px-3 py-0.5 text-left hover:bg-warning-100',
        tones.warning,
      )}
    >
      <Icon name={icon} />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 leading-tight">
        <strong className="font-semibold">{title}</strong>
        <span data-more className="text-sm leading-tight">
          {text}
        </span>
      </span>
      <Icon
        name={isOpen === undefined ? 'chevron-right' : isOpen ? 'chevron-up' : 'chevron-down'}
        size="sm"
      />
    </button>
  )
}

type SkippedNoticeProps = {
  title: string
  /** Items with reasons. */
  skipped: readonly { id: string; words: string }[]
  /** Dismisses the notice. */
  onRead?: () => void
}

/** Skipped items of a bulk act; nothing for none. */
export const SkippedNotice = ({ title, skipped, onRead }: SkippedNoticeProps) =>
  skipped.length === 0 ? null : (
    <Notice tone="warning" title={title}>
      <ul className="max-h-60 w-full list-disc overflow-y-auto pl-4 break-words">
        {skipped.map(({ id, words }) => (
          <li key={id}>{words}</li>
        ))}
      </ul>
      {onRead ? (
        <Button variant="secondary" size="sm" onClick={onRead}>
          Got it
        </Button>
      ) : null}
    </Notice>
  )

type ExplainedProps = { line: ReactNode; className?: string; children: ReactNode }

/** One line; pressed, what is behind it. */
export const Explained = ({ line, className, children }: ExplainedProps) => (
  <details className={classes('whitespace-normal', className)}>
    <summary className="min-h-11 cursor-pointer content-center rounded-md wrap-anywhere hover:underline">
      {line}
    </summary>
    <p className="pb-2 font-normal wrap-anywhere">{children}</p>
  </details>
)
