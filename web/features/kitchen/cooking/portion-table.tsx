import type { KitchenTotal } from '#contracts/ordering'
import { HeadCell, Table, TableBody, TableHead, tableRoles } from '../../../ui/table'
import { rowKey } from './kitchen-groups'
import { PortionRow } from './portion-row'
import { PaperHead } from '../printing'

type PortionTableProps = {
  title: string
  /** The day they are for, as people say it; tells this table from that of another day. */
  day: string
  /** The day with its date, for the head of the table on paper. */
  date: string
  rows: KitchenTotal[]
  chosen: ReadonlySet<string>
  onToggle: (row: KitchenTotal) => void
}

/** The portions of one menu on one day; on a phone each row is a card. */
export const PortionTable = ({ title, day, date, rows, chosen, onToggle }: PortionTableProps) => (
  <div className="@container print:not-first:mt-5">
    <h3 className="mb-2 font-semibold text-brand-800 print:hidden">{title}</h3>
    <div className="overflow-hidden rounded-md border border-line @max-xl:border-0 print:overflow-visible print:border-0">
      <Table
        label={`${title}, ${day}`}
        aria-label={title}
        {...tableRoles.table}
        className="@max-xl:block @xl:table-fixed print:table-auto"
      >
        <TableHead className="@max-xl:hidden">
          <PaperHead columns={4}>{`${title} · ${date}`}</PaperHead>
          <tr>
            <HeadCell className="w-16 print:hidden">
              <span className="sr-only">Complete</span>
            </HeadCell>
            <HeadCell className="w-1/4">Menu Item</HeadCell>
            <HeadCell className="w-20 text-right whitespace-normal!">Total Orders</HeadCell>
            <HeadCell className="whitespace-normal! print:w-1/3">Protein Selection</HeadCell>
            <HeadCell className="whitespace-normal! print:w-1/3">Side Dish Selection</HeadCell>
          </tr>
        </TableHead>
        <TableBody
          {...tableRoles.body}
          className="@max-xl:flex @max-xl:flex-col @max-xl:gap-3 @max-xl:divide-y-0"
        >
          {rows.map((row) => (
            <PortionRow
              key={rowKey(row)}
              row={row}
              checked={chosen.has(rowKey(row))}
              onToggle={() => onToggle(row)}
            />
          ))}
        </TableBody>
      </Table>
    </div>
  </div>
)
