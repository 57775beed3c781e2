import type { KitchenTotal } from '#contracts/ordering'
import { classes } from '../../../lib/classes'
import { Badge } from '../../../ui/badge'
import { Checkbox } from '../../../ui/checkbox'
import { Icon } from '../../../ui/icon'
import { Cell, tableRoles } from '../../../ui/table'
import { completable, groupedComments, avoidsPageBreak } from './kitchen-groups'

type PortionRowProps = { row: KitchenTotal; checked: boolean; onToggle: () => void }

/** One item on one day: how many portions, of which proteins and sides, and what families asked for. */
export const PortionRow = ({ row, checked, onToggle }: PortionRowProps) => (
  <tr
    {...tableRoles.row}
    className={classes(
      avoidsPageBreak(row) && 'break-inside-avoid',
      '@max-xl:grid @max-xl:grid-cols-[auto_minmax(0,1fr)_auto] @max-xl:items-center @max-xl:rounded-md @max-xl:border @max-xl:border-line',
      checked && 'bg-brand-50',
    )}
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
    <Cell {...tableRoles.cell} className="@max-xl:px-1">
      <p className="py-2 text-base font-semibold print:py-0">{row.menuItem}</p>
      <Marks row={row} />
    </Cell>
    <Cell {...tableRoles.cell} className="money text-right @max-xl:px-3">
      <span className="sr-only @xl:hidden">Total Orders </span>
      <strong className="inline-block py-1 text-xl print:py-0">{row.total}</strong>
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:col-span-3 @max-xl:pt-0">
      <PortionList title="Protein Selection" portions={row.proteins} />
    </Cell>
    <Cell {...tableRoles.cell} className="@max-xl:col-span-3 @max-xl:pt-0">
      <PortionList title="Side Dish Selection" portions={row.sides} />
    </Cell>
  </tr>
)

const Marks = ({ row }: { row: KitchenTotal }) => (
  <p className="flex flex-wrap gap-1.5 empty:hidden [&_.badge]:whitespace-normal">
    {row.completed > 0 ? (
      <Badge tone="brand" icon="check">
        {completable(row) ? `${row.completed} of ${row.total} completed` : 'Completed'}
      </Badge>
    ) : null}
    {row.unpaid > 0 ? <Badge tone="warning">{`${row.unpaid} unpaid`}</Badge> : null}
    {row.cancelledLate > 0 ? <Badge tone="danger">{`${row.cancelledLate} cancelled late`}</Badge> : null}
  </p>
)

type PortionListProps = { title: string; portions: KitchenTotal['proteins'] }

/** How many of each protein or side, with the comments that came with it. */
const PortionList = ({ title, portions }: PortionListProps) => (
  <>
    <p className="mb-1 text-xs font-semibold text-muted @xl:hidden">{title}</p>
    {portions.length === 0 ? <p className="py-2 text-muted print:py-0">None</p> : null}
    <ul className="flex flex-col gap-1.5">
      {portions.map((portion) => (
        <li key={portion.name} className="@xl:pt-2 print:pt-0">
          <span className="flex break-after-avoid gap-2">
            <strong className="money min-w-7 text-right">{portion.count}</strong>
            <span className="first-letter:uppercase">{portion.name}</span>
          </span>
          <Comments texts={portion.comments} />
        </li>
      ))}
    </ul>
  </>
)

const Comments = ({ texts }: { texts: string[] }) =>
  texts.length === 0 ? null : (
    <ul aria-label="Comments" className="mt-1 flex flex-col gap-1">
      {groupedComments(texts).map(({ text, count }) => (
        <li
          key={text}
          className="break-inside-avoid border-l-3 border-accent-300 bg-accent-50 px-2 py-1 text-sm break-words print:py-0"
        >
          {count > 1 ? <strong className="money">{`${count} × `}</strong> : null}
          {text}
        </li>
      ))}
    </ul>
  )
