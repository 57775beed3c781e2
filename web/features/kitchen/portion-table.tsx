import type { KitchenTotal } from '#contracts/ordering'
import { HeadCell, Table, TableBody, TableHead } from '../../ui/table'
import { tableRoles } from '../../ui/table-roles'
import { rowKey } from './kitchen-groups'
import { PortionRow } from './portion-row'

type PortionTableProps = {
  title: string
  /** The day they are for, as people say it; tells this table from that of another day. */
  day: string
  rows: KitchenTotal[]
  chosen: ReadonlySet<string>
  onToggle: (row: KitchenTotal) => void
}

/** The portions of one menu on one day; on a phone each row is a card. */
export const PortionTable = ({ title, day, rows, chosen, onToggle }: PortionTableProps) => (
  <div className="@container">
    <h3 className="mb-2 font-semibold text-brand-800">{title}</h3>
    <div className="overflow-hidden rounded-md border border-line @max-xl:border-0">
      <Table
        label={`${title}, ${day}`}
        aria-label={title}
        {...tableRoles.table}
        className="@xl:table-fixed @max-xl:block"
      >
        <TableHead className="@max-xl:hidden">
          <tr>
            <HeadCell className="w-16 print:hidden">
              <span className="sr-only">Complete</span>
            </HeadCell>
            <HeadCell className="w-1/4">Menu Item</HeadCell>
            <HeadCell className="w-20 text-right whitespace-normal!">Total Orders</HeadCell>
            <HeadCell className="whitespace-normal!">Protein Selection</HeadCell>
            <HeadCell className="whitespace-normal!">Side Dish Selection</HeadCell>
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
