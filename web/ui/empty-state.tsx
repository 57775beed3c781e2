import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  icon?: IconName
  action?: ReactNode
  /** The title is the heading of the page. */
  page?: boolean
}

/** What a list says when there is nothing in it, and what to do about it. */
export const EmptyState = ({ title, children, icon = 'bowl', action, page }: EmptyStateProps) => {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <span className="plate">
        <Icon name={icon} size="xl" />
      </span>
      <Title className="font-display text-xl font-semibold">{title}</Title>
      {children ? <div className="max-w-form text-muted">{children}</div> : null}
      {action}
    </div>
  )
}
