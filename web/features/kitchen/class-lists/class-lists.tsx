import { useQuery } from '@tanstack/react-query'
import type { TdHTMLAttributes } from 'react'
import { classList, type ClassListEntry, type ClassListSort, classListSorts } from '#contracts/class-list'
import { classes } from '../../../lib/classes'
import { counted, gradeLabel, longDay } from '../../../lib/format'
import { readFilters, useListAddress, type ListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { QueryResult } from '../../../ui/query-result'
import { SortHead, type SortProps } from '../../../ui/sort-head'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../../ui/table'
import { classListQuery } from '../api'
import { byName } from '../kitchen-view'
import { PaperHead, PrintButton, PrintedAt, usePaperFoot } from '../printing'
import { FilterSelect, SortSelect, bothOrders } from '../../../ui/list-filters'

type ClassListsProps = { date: string; onBack: () => void }

/** Who gets what on one day, a list per grade; each begins on a page of its own. What is listed is in the address. */
export const ClassLists = ({ date, onBack }: ClassListsProps) => {
  usePaperFoot(`Class lists of ${longDay(date)}`)
  const list = useListAddress(classListSorts, byName)
  const filters = readFilters(list.address, classList.query, ['grade', 'paymentStatus'])
  const lunches = useQuery(classListQuery({ date, ...list.sorted.sorting, ...filters }))
  return (
    <div className="flex flex-col gap-5 print:block">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 className="font-display text-2xl font-semibold">{longDay(date)}</h2>
          <PrintedAt />
        </div>
        <div className="flex flex-wrap items-end gap-2 print:hidden">
          <ClassFilters list={list} grade={filters.grade} grades={lunches.data?.grades ?? []} />
          <Button variant="secondary" icon="chevron-left" onClick={onBack}>
            Back to portions
          </Button>
          <PrintButton />
        </div>
      </div>
      <QueryResult
        query={lunches}
        failure="Failed to fetch orders"
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Card>
            <EmptyState title="No orders found">
              {lunches.data?.grades.length
                ? 'No lunch of this day matches the choice above.'
                : 'Nobody has ordered for this day.'}
            </EmptyState>
          </Card>
        }
      >
        {({ data }) => (
          <div className="flex flex-col gap-5 print:block">
            {gradesOf(data).map(([grade, entries]) => (
              <ClassCard key={grade} grade={grade} date={date} entries={entries} sorted={list.sorted} />
            ))}
          </div>
        )}
      </QueryResult>
    </div>
  )
}

const gradesOf = (entries: readonly ClassListEntry[]): [string, ClassListEntry[]][] => {
  const classes = new Map<string, ClassListEntry[]>()
  for (const entry of entries) classes.set(entry.grade, [...(classes.get(entry.grade) ?? []), entry])
  return [...classes]
}

type ClassCardProps = {
  grade: string
  date: string
  entries: readonly ClassListEntry[]
  sorted: SortProps<ClassListSort>
}

const ClassCard = ({ grade, date, entries, sorted }: ClassCardProps) => (
  <Card className="print:not-first:break-before-page">
    <div className="print:hidden">
      <CardHeading title={gradeLabel(grade)} hint={counted(entries.length, 'lunch', 'lunches')} />
    </div>
    <CardBody className="@container">
      <Table label={`Lunches of ${gradeLabel(grade)}`} {...tableRoles.table} className="@max-xl:block">
        <TableHead className="@max-xl:hidden">
          <PaperHead columns={6}>
            {`${gradeLabel(grade)} · ${longDay(date)} · ${counted(entries.length, 'lunch', 'lunches')}`}
          </PaperHead>
          <tr>
            <SortHead by="name" {...sorted}>
              Student
            </SortHead>
            <SortHead by="meal" {...sorted}>
              Meal
            </SortHead>
            <HeadCell>Protein</HeadCell>
            <HeadCell>Side dish</HeadCell>
            <HeadCell>Comments</HeadCell>
            <HeadCell className="hidden print:table-cell">Given</HeadCell>
          </tr>
        </TableHead>
        <TableBody {...tableRoles.body} className="@max-xl:block">
          {entries.map((entry) => (
            <LunchRow key={entry.id} entry={entry} />
          ))}
        </TableBody>
      </Table>
    </CardBody>
  </Card>
)

/** One lunch; where there is no room for a table its cells stand below one another. */
const LunchRow = ({ entry }: { entry: ClassListEntry }) => (
  <tr {...tableRoles.row} className="break-inside-avoid @max-xl:block @max-xl:py-2">
    <LunchCell className="font-semibold">
      {entry.student}
      {entry.absent ? <span className="font-normal text-danger-700"> · ill</span> : null}
    </LunchCell>
    <LunchCell>
      {entry.menuItem}
      {entry.paymentStatus === 'pending' ? <span className="text-muted"> · unpaid</span> : null}
    </LunchCell>
    <LunchCell className="first-letter:uppercase @max-xl:mr-4 @max-xl:inline-block">
      {entry.category}
    </LunchCell>
    <LunchCell className="@max-xl:inline-block">{entry.sideDish}</LunchCell>
    <LunchCell className="break-words @max-xl:not-empty:mt-1 @max-xl:not-empty:border-l-3 @max-xl:border-accent-300 @max-xl:bg-accent-50 @max-xl:px-2">
      {entry.comments}
    </LunchCell>
    <Cell className="hidden print:table-cell">
      <span className="inline-block size-4 border border-ink" />
    </Cell>
  </tr>
)

const LunchCell = ({ className, ...rest }: TdHTMLAttributes<HTMLTableCellElement>) => (
  <Cell
    {...tableRoles.cell}
    {...rest}
    className={classes('@max-xl:block @max-xl:px-0 @max-xl:py-0', className)}
  />
)

const payments = [
  { value: '', label: 'Paid and unpaid' },
  { value: 'confirmed', label: 'Paid only' },
  { value: 'pending', label: 'Unpaid only' },
]

const orders = [
  ...bothOrders<ClassListSort>('name', { asc: 'Student, A to Z', desc: 'Student, Z to A' }),
  ...bothOrders<ClassListSort>('meal', { asc: 'Meal, A to Z', desc: 'Meal, Z to A' }),
]

type ClassFiltersProps = {
  list: ListAddress<ClassListSort>
  /** The one that the address asks for. */
  grade: string | undefined
  /** Those that have a lunch on this day. */
  grades: readonly string[]
}

/** Whose lunches are listed, and in which order within a class. */
const ClassFilters = ({ list, grade, grades }: ClassFiltersProps) => (
  <>
    <FilterSelect
      list={list}
      name="grade"
      label="Class"
      className="w-40"
      options={[
        { value: '', label: 'All classes' },
        ...withAsked(grades, grade).map((one) => ({
          value: one,
          label: gradeLabel(one),
        })),
      ]}
    />
    <FilterSelect list={list} name="paymentStatus" label="Payment" className="w-48" options={payments} />
    <SortSelect choices={orders} className="w-48" {...list.sorted} />
  </>
)

/** A class that the address names stands among the choices, whether it has lunches or not. */
const withAsked = (grades: readonly string[], grade: string | undefined) =>
  grade === undefined || grades.includes(grade) ? grades : [grade, ...grades]
