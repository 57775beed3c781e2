import type { HTMLAttributes, ReactNode } from 'react'
import { classes } from '../lib/classes'
import { SortHead, type SortProps } from './sort-head'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from './table'

type StackedTableProps<Key extends string> = {
  label: string
  columns: readonly StackedColumn<Key>[]
  /** Present when headings sort. */
  sorted?: SortProps<Key>
  /** Smaller text, fixed widths. */
  dense?: boolean
  children: ReactNode
}
export type StackedColumn<Key extends string = never> = {
  label: string
  /** Sort key of its heading. */
  by?: Key
  /** Visible to screen readers only. */
  hideLabel?: boolean
  className?: string
}

/** Below 56rem each row becomes a card with labels. */
export const StackedTable = <Key extends string = never>({
  label,
  columns,
  sorted,
  dense,
  children,
}: StackedTableProps<Key>) => (
  <div className="@container">
    <Table
      label={label}
      aria-label={label}
      {...tableRoles.table}
      className={classes('@max-4xl:block', dense && '@4xl:table-fixed @4xl:text-xs')}
    >
      <TableHead className={classes('@max-4xl:hidden', dense && '[&_th]:py-1!')}>
        <tr>
          {columns.map((column) => (
            <ColumnHead
              key={column.label}
              column={column}
              sorted={sorted}
              className={classes('px-2!', dense && 'whitespace-normal!', column.className)}
            />
          ))}
        </tr>
      </TableHead>
      <TableBody
        {...tableRoles.body}
        className="@max-4xl:flex @max-4xl:flex-col @max-4xl:gap-3 @max-4xl:divide-y-0"
      >
        {children}
      </TableBody>
    </Table>
  </div>
)

type ColumnHeadProps<Key extends string> = {
  column: StackedColumn<Key>
  sorted: SortProps<Key> | undefined
  className: string
}

const ColumnHead = <Key extends string>({ column, sorted, className }: ColumnHeadProps<Key>) =>
  column.by && sorted ? (
    <SortHead by={column.by} className={className} {...sorted}>
      {column.label}
    </SortHead>
  ) : (
    <HeadCell className={className}>
      {column.hideLabel ? <span className="sr-only">{column.label}</span> : column.label}
    </HeadCell>
  )

/** A row, or a card of six columns. */
export const StackedRow = ({ className, ...rest }: HTMLAttributes<HTMLTableRowElement>) => (
  <tr
    {...rest}
    {...tableRoles.row}
    className={classes(
      'hover:bg-sand-50 @max-4xl:grid @max-4xl:grid-cols-6 @max-4xl:rounded-md @max-4xl:border @max-4xl:border-line @max-4xl:bg-surface @max-4xl:p-1.5',
      className,
    )}
  />
)

type StackedCellProps = {
  /** Label on a card; absent where the value speaks for itself. */
  label?: string
  width?: keyof typeof widths
  className?: string
  children: ReactNode
}

const widths = {
  third: '@max-4xl:col-span-2',
  half: '@max-4xl:col-span-3',
  most: '@max-4xl:col-span-4',
  full: '@max-4xl:col-span-6',
} as const

export const StackedCell = ({ label, width = 'half', className, children }: StackedCellProps) => (
  <Cell
    {...tableRoles.cell}
    className={classes('min-w-0 px-2! @max-4xl:px-2 @max-4xl:py-1.5', widths[width], className)}
  >
    {label && children !== null ? (
      <span className="block text-xs font-semibold text-muted @4xl:hidden">{`${label} `}</span>
    ) : null}
    {children}
  </Cell>
)

/** Heading and cell of a column. */
export type DataColumn<Row, Key extends string = never> = Omit<StackedColumn<Key>, 'className'> & {
  headClass?: string
  cell: (row: Row) => ReactNode
  /** Label on a card: the heading or these words. */
  named?: true | string
  width?: StackedCellProps['width']
  className?: string
}

type DataTableProps<Row, Key extends string> = Omit<StackedTableProps<Key>, 'columns' | 'children'> & {
  columns: readonly DataColumn<Row, Key>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  rowClass?: string | ((row: Row) => string | undefined)
}

/** A `StackedTable` from columns as data. */
export const DataTable = <Row, Key extends string = never>({
  columns,
  rows,
  keyOf,
  rowClass,
  ...table
}: DataTableProps<Row, Key>) => (
  <StackedTable
    columns={columns.map(({ headClass, ...column }) => ({ ...column, className: headClass }))}
    {...table}
  >
    {rows.map((row) => (
      <StackedRow key={keyOf(row)} className={typeof rowClass === 'function' ? rowClass(row) : rowClass}>
        {columns.map(({ label, named, width, className, cell }) => (
          <StackedCell key={label} label={named === true ? label : named} width={width} className={className}>
            {cell(row)}
          </StackedCell>
        ))}
      </StackedRow>
    ))}
  </StackedTable>
)
