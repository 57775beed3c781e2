import type { HTMLAttributes, TableHTMLAttributes, TdHTMLAttributes, ThHTMLAttributes } from 'react'
import { classes } from '../lib/classes'

type TableProps = TableHTMLAttributes<HTMLTableElement> & {
  /** What the table lists, for screen readers. */ label: string
}

export const Table = ({ label, className, children, ...rest }: TableProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling frame must be reachable by keyboard
  <section aria-label={label} tabIndex={0} className="overflow-x-auto print:overflow-visible">
    <table {...rest} className={classes('w-full border-collapse text-left text-sm', className)}>
      {children}
    </table>
  </section>
)

export const TableHead = (props: HTMLAttributes<HTMLTableSectionElement>) => (
  <thead {...props} className={classes('bg-sand-50 text-xs text-muted', props.className)} />
)

export const TableBody = (props: HTMLAttributes<HTMLTableSectionElement>) => (
  <tbody
    {...props}
    className={classes('divide-y divide-line print:border-t print:border-line', props.className)}
  />
)

export const HeadCell = ({ className, ...rest }: ThHTMLAttributes<HTMLTableCellElement>) => (
  <th
    scope="col"
    {...rest}
    className={classes('px-3 py-2.5 font-semibold whitespace-nowrap print:py-1', className)}
  />
)

type CellProps = TdHTMLAttributes<HTMLTableCellElement> & {
  /** Vertically centred. */
  middle?: boolean
}

export const Cell = ({ className, middle, ...rest }: CellProps) => (
  <td
    {...rest}
    className={classes('px-3 py-3 print:py-1', middle ? 'align-middle' : 'align-top', className)}
  />
)

/** Block layout drops table roles, so they are explicit. */
export const tableRoles = {
  table: { role: 'table' },
  body: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
} as const
