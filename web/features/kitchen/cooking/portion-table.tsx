import { useState } from 'react'
import type { KitchenTotal } from '#contracts/kitchen'
import { classes } from '../../../lib/classes'
import { Badge } from '../../../ui/badge'
import { Checkbox } from '../../../ui/checkbox'
import { Icon } from '../../../ui/icon'
import type { Choosing } from '../../../ui/selection'
import { HeadCell, Table, TableHead, tableRoles, Cell } from '../../../ui/table'
import { PaperHead } from '../printing'
import { rowKey, completable, avoidsPageBreak, plateText } from './kitchen-groups'

type PortionTableProps = {
  title: string
  day: string
  date: string
  rows: KitchenTotal[]
  selection: Choosing<{ id: string }>
  changed: ReadonlySet<string>
}

export const PortionTable = ({ title, day, date, rows, selection, changed }: PortionTableProps) => (
  <div className="@container print:not-first:mt-3">
    <h3 className="mb-2 font-semibold text-brand-800 print:hidden">{title}</h3>
    <div className="overflow-hidden rounded-md border border-line @max-xl:border-0 print:overflow-visible print:border-0">
      <Table
        label={`${title}, ${day}`}
        aria-label={title}
        {...tableRoles.table}
        className="@max-xl:flex @max-xl:flex-col @max-xl:gap-3 @xl:table-fixed print:table-auto"
      >
        <TableHead className="@max-xl:hidden">
          <PaperHead columns={4}>{`${title} · ${date}`}</PaperHead>
          <tr>
            <HeadCell className="w-16 print:hidden">
              <span className="sr-only">Complete</span>
            </HeadCell>
            <HeadCell className="w-1/4 print:w-1/3">Menu Item</HeadCell>
            <HeadCell className="w-20 text-right whitespace-normal!">Total Orders</HeadCell>
            <HeadCell className="whitespace-normal! print:w-1/4">Protein Selection</HeadCell>
            <HeadCell className="whitespace-normal! print:w-1/4">Side Dish Selection</HeadCell>
          </tr>
        </TableHead>
        {rows.map((row) => (
          <PortionRows
            key={rowKey(row)}
            row={row}
            checked={selection.chosen.has(rowKey(row))}
            isChanged={changed.has(rowKey(row))}
            onToggle={() => selection.toggle([{ id: rowKey(row) }])}
          />
        ))}
      </Table>
    </div>
  </div>
)

type PortionRowsProps = { row: KitchenTotal; checked: boolean; isChanged: boolean; onToggle: () => void }

/** Portions with proteins, sides and plates. */
const PortionRows = ({ row, checked, isChanged, onToggle }: PortionRowsProps) => (
  <tbody
    {...tableRoles.body}
    className={classes(
      avoidsPageBreak(row) && 'break-inside-avoid',
      'border-t border-line @max-xl:block @max-xl:rounded-md @max-xl:border',
      checked && 'bg-brand-50',
    )}
  >
    <PortionRow row={row} checked={checked} isChanged={isChanged} onToggle={onToggle} />
    {row.plates.length === 0 ? null : (
      <tr {...tableRoles.row} className="@max-xl:block">
        <td aria-hidden="true" className="@max-xl:hidden print:hidden" />
        <Cell {...tableRoles.cell} colSpan={4} className="pt-0! @max-xl:block print:pb-0.5!">
          <Plates menuItem={row.menuItem} plates={row.plates} />
        </Cell>
      </tr>
    )}
  </tbody>
)

const PortionRow = ({ row, checked, isChanged, onToggle }: PortionRowsProps) => (
  <tr
    {...tableRoles.row}
    className="break-after-avoid @max-xl:grid @max-xl:grid-cols-[auto_minmax(0,1fr)_auto] @max-xl:items-center"
  >
    <Cell {...tableRoles.cell} className="@max-xl:p-2 print:hidden">
      {completable(row) ? (
        <Checkbox
          label={`Select ${row.menuItem}`}
          hideLabel
          checked={checked}
          onChange={onToggle}
          className="tap justify-center"
        />
      ) : null}
      {row.total > 0 && !completable(row) ? (
        <span className="tap grid place-items-center text-brand-600">
          <Icon name="check" />
        </span>
      ) : null}
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:px-1 print:py-0.5!">
      <p className="py-2 text-base font-semibold print:py-0">{row.menuItem}</p>
      <Marks row={row} isChanged={isChanged} />
    </Cell>
    <Cell {...tableRoles.cell} className="money text-right @max-xl:px-3 print:py-0.5!">
      <span className="sr-only @xl:hidden">Total Orders </span>
      <strong className="inline-block py-1 text-xl print:py-0 print:text-base">{row.total}</strong>
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:col-span-3 @max-xl:pt-0 print:py-0.5!">
      <PortionList title="Protein Selection" portions={row.proteins} />
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:col-span-3 @max-xl:pt-0 print:py-0.5!">
      <PortionList title="Side Dish Selection" portions={row.sides} />
    </Cell>
  </tr>
)

const Marks = ({ row, isChanged }: { row: KitchenTotal; isChanged: boolean }) => (
  <p className="flex flex-wrap gap-1.5 empty:hidden [&_.badge]:whitespace-normal">
    {isChanged ? (
      <span className="print:hidden">
        <Badge tone="accent">Just changed</Badge>
      </span>
    ) : null}
    {row.completed > 0 ? (
      <Badge tone="brand" icon="check">
        {completable(row) ? `${row.completed} of ${row.total} completed` : 'Completed'}
      </Badge>
    ) : null}
    {row.unpaid > 0 ? <Badge tone="warning">{`${row.unpaid} not paid`}</Badge> : null}
    {row.absent ? <Badge tone="info">{`${row.absent} ill`}</Badge> : null}
    {row.cancelledLate > 0 ? <Badge tone="danger">{`${row.cancelledLate} cancelled late`}</Badge> : null}
  </p>
)

type PortionListProps = { title: string; portions: KitchenTotal['proteins'] }

/** How many of each protein or side. */
const PortionList = ({ title, portions }: PortionListProps) => (
  <>
    <p className="mb-1 text-xs font-semibold text-muted @xl:hidden">{title}</p>
    {portions.length === 0 ? <p className="py-2 text-muted print:py-0">None</p> : null}
    <ul className="flex flex-col gap-1.5 print:gap-0 print:leading-5">
      {portions.map((portion) => (
        <li key={portion.name} className="flex gap-2 @xl:pt-2 print:pt-0">
          <strong className="money min-w-7 text-right">{portion.count}</strong>
          <span className="first-letter:uppercase">{portion.name}</span>
        </li>
      ))}
    </ul>
  </>
)

type PlatesProps = Pick<KitchenTotal, 'menuItem' | 'plates'>
type Plate = KitchenTotal['plates'][number]

/** Remarks stand with their plate and child. */
const Plates = ({ menuItem, plates }: PlatesProps) => (
  <>
    <p className="mb-1 text-xs font-semibold text-muted print:hidden">Plates</p>
    <ul
      aria-label="Plates"
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-x-4 gap-y-1.5 print:gap-y-0 print:leading-5"
    >
      {plates.map((plate) => (
        <li
          key={JSON.stringify([plate.category, plate.sideDish])}
          className={classes('flex gap-2', plate.comments.length > 0 && 'col-span-full')}
        >
          <strong className="money min-w-7 text-right">{plate.count}</strong>
          <div className="min-w-0">
            <p className="break-after-avoid">{plateText(plate, menuItem)}</p>
            <Comments comments={plate.comments} />
          </div>
        </li>
      ))}
    </ul>
  </>
)

const Comments = ({ comments }: Pick<Plate, 'comments'>) =>
  comments.length === 0 ? null : (
    <ul aria-label="Comments" className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
      {comments.map(({ text, count, students }) => (
        <li
          key={text}
          className="min-w-0 break-inside-avoid border-l-3 border-accent-300 bg-accent-50 px-2 py-1 text-sm break-words print:bg-transparent print:py-0"
        >
          {count > 1 ? <strong className="money">{`${count} × `}</strong> : null}
          <strong className="font-semibold">{text}</strong>
          <Names of={students} />
        </li>
      ))}
    </ul>
  )

const namesShown = 8

/** Folds many names on a screen; paper has them all. */
const Names = ({ of: names }: { of: readonly string[] }) => {
  const [open, setOpen] = useState(false)
  const rest = names.slice(namesShown)
  const isFolded = rest.length > 0 && !open
  return (
    <span className="text-muted">
      {` · ${names.slice(0, namesShown).join(', ')}`}
      {rest.length > 0 ? (
        <span className={isFolded ? 'hidden print:inline' : undefined}>{`, ${rest.join(', ')}`}</span>
      ) : null}
      {isFolded ? (
        <button
          type="button"
          aria-label={`+${rest.length}, show all names`}
          onClick={() => setOpen(true)}
          className="money tap -my-3 ml-1 font-semibold text-brand-700 underline print:hidden"
        >
          {`+${rest.length}`}
        </button>
      ) : null}
    </span>
  )
}
