import type { ReactNode } from 'react'
import { classes } from '../lib/classes'
import type { Sorting } from '../lib/list-address'
import { Icon } from './icon'
import { HeadCell } from './table'

export type SortProps<Key extends string> = {
  sorting: Sorting<Key>
  onSort: (sorting: Sorting<Key>) => void
}

type SortHeadProps<Key extends string> = SortProps<Key> & {
  /** Pressed again it reverses. */
  by: Key
  className?: string
  children: ReactNode
}

/** Sorts by its column. */
export const SortHead = <Key extends string>({ by, sorting, onSort, ...head }: SortHeadProps<Key>) => {
  const down = sorting.sort === by && sorting.direction === 'desc'
  const up = sorting.sort === by && !down
  return (
    <HeadCell className={head.className} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      {/* Repeated print headings omit buttons' content. */}
      <span aria-hidden="true" className="hidden print:inline">
        {head.children}
      </span>
      <button
        type="button"
        onClick={() => onSort({ sort: by, direction: up ? 'desc' : 'asc' })}
        className="-mx-1.5 inline-flex print:hidden in-[.text-right]:flex-row-reverse min-h-9 items-center gap-1 rounded-sm px-1.5 text-left font-semibold hover:text-ink"
      >
        {head.children}
        <Icon
          name={down ? 'chevron-down' : 'chevron-up'}
          size="sm"
          className={classes(up || down ? 'text-ink' : 'invisible')}
        />
      </button>
    </HeadCell>
  )
}
