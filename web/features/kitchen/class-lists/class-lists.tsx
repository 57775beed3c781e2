import { useQuery } from '@tanstack/react-query'
import type { TdHTMLAttributes } from 'react'
import { classList, classListSorts, type ClassListEntry, type ClassListSort } from '#contracts/kitchen'
import { classes } from '../../../lib/classes'
import { longDay, capitalised, counted, namesakeText } from '../../../lib/format'
import { readFilters, useListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { Checkbox } from '../../../ui/checkbox'
import { SortHead, type SortProps } from '../../../ui/sort-head'
import { Cell, HeadCell, Table, TableBody, TableHead, tableRoles } from '../../../ui/table'
import { classListQuery } from '../api'
import { byName } from '../kitchen-view'
import { PrintButton, usePaperFoot } from '../printing'
import {
  isHealthKnown,
  LunchesOfDay,
  ClassFilters,
  classesOf,
  Allergies,
  DietOf,
  type ClassGroup,
} from './class-groups'

type ClassListsProps = { date: string; onBack: () => void; onLabels: () => void }

export const ClassLists = ({ date, onBack, onLabels }: ClassListsProps) => {
  const list = useListAddress(classListSorts, byName)
  const filters = readFilters(list.address, classList.query, ['grade', 'paymentStatus'])
  const apart = list.address.get('apart') === 'yes'
  const lunches = useQuery(classListQuery({ date, ...list.sorted.sorting, ...filters }))
  const health = isHealthKnown(lunches.data?.data ?? [])
  usePaperFoot(`Class lists of ${longDay(date)}`, healthNote(health))
  return (
    <div className="class-lists flex flex-col gap-5 print:block">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 print:hidden">
        <div>
          <h2 className="font-display text-2xl font-semibold">{longDay(date)}</h2>
          <p className="text-sm text-muted">{healthNote(health)}</p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <ClassFilters list={list} grade={filters.grade} grades={lunches.data?.grades ?? []} />
          <Button variant="secondary" icon="chevron-left" onClick={onBack}>
            Back to portions
          </Button>
          <Button variant="secondary" icon="list" onClick={onLabels}>
            Labels
          </Button>
          <Checkbox
            label="One class a page"
            checked={apart}
            onChange={() => list.onFilter({ apart: apart ? null : 'yes' })}
          />
          <PrintButton />
        </div>
      </div>
      <LunchesOfDay lunches={lunches} none="No orders found">
        {(data) => (
          <div className="flex flex-col gap-5 print:block">
            {classesOf(data).map((group) => (
              <ClassCard
                key={group.label}
                {...group}
                date={date}
                sorted={list.sorted}
                paper={apart ? 'apart' : data.length > maxInLargeSchool ? 'dense' : 'shared'}
                health={health}
              />
            ))}
          </div>
        )}
      </LunchesOfDay>
    </div>
  )
}

/** Above this number lists print small, so that 500 take at most 12 pages. */
const maxInLargeSchool = 250

const healthNote = (isKnown: boolean): string =>
  isKnown
    ? 'Nothing about allergies: the family has not told us.'
    : 'No family has told us about allergies yet.'

/** Separate pages, shared pages, or shared in small letters. */
type ClassPaper = 'apart' | 'shared' | 'dense'

const onPaper: Record<ClassPaper, string> = {
  apart: 'print:not-first:break-before-page',
  shared: 'class-in-columns',
  dense: 'class-in-columns class-dense',
}

type ClassCardProps = ClassGroup & {
  date: string
  sorted: SortProps<ClassListSort>
  paper: ClassPaper
  /** Adds a column for allergies and notes. */
  health: boolean
}

const ClassCard = ({ label, entries, date, sorted, paper, health }: ClassCardProps) => (
  <Card className={classes('class-on-paper', onPaper[paper])}>
    <div className="class-head">
      <CardHeading
        title={label}
        hint={
          <>
            {counted(entries.length, 'lunch', 'lunches')}
            <span className="hidden print:inline">{` · ${longDay(date)}`}</span>
          </>
        }
      />
    </div>
    <CardBody className="@container class-body">
      <Table label={`Lunches of ${label}`} {...tableRoles.table} className="@max-2xl:block">
        <TableHead className="@max-2xl:hidden">
          <tr>
            <HeadCell className="hidden print:table-cell">Given</HeadCell>
            <SortHead by="name" {...sorted}>
              Student
            </SortHead>
            <SortHead by="meal" {...sorted}>
              Meal
            </SortHead>
            <HeadCell>Protein</HeadCell>
            <HeadCell>Side dish</HeadCell>
            <HeadCell>Comments</HeadCell>
            {health ? <HeadCell>Allergies</HeadCell> : null}
          </tr>
        </TableHead>
        <TableBody {...tableRoles.body} className="@max-2xl:block">
          {entries.map((entry) => (
            <LunchRow key={entry.id} entry={entry} health={health} />
          ))}
        </TableBody>
      </Table>
    </CardBody>
  </Card>
)

/** A card on a narrow screen. */
const LunchRow = ({ entry, health }: { entry: ClassListEntry; health: boolean }) => (
  <tr {...tableRoles.row} className="break-inside-avoid @max-2xl:block @max-2xl:py-2">
    <Cell className="class-tick hidden print:table-cell">
      <span className="inline-block size-4 border border-ink" />
    </Cell>
    <LunchCell className="class-child font-semibold">
      {entry.student}
      {entry.absent ? <span className="font-normal text-danger-700"> · ill</span> : null}
      {entry.tellApart ? <span className="block font-normal">{namesakeText(entry.tellApart)}</span> : null}
    </LunchCell>
    <LunchCell>
      {entry.menuItem}
      {entry.paymentStatus === 'pending' ? <span className="text-muted"> · unpaid</span> : null}
    </LunchCell>
    <LunchCell className="@max-2xl:mr-4 @max-2xl:inline-block">
      {entry.category === null ? null : capitalised(entry.category)}
    </LunchCell>
    <LunchCell className="@max-2xl:inline-block">{entry.sideDish}</LunchCell>
    <LunchCell className="break-words @max-2xl:not-empty:mt-1 @max-2xl:not-empty:border-l-3 @max-2xl:border-accent-300 @max-2xl:bg-accent-50 @max-2xl:px-2">
      {entry.comments}
    </LunchCell>
    {health ? <HealthCell entry={entry} /> : null}
  </tr>
)

const HealthCell = ({ entry: { allergies, diet, medicalNote } }: { entry: ClassListEntry }) => (
  <LunchCell className="break-words">
    <Allergies allergies={allergies} />
    {allergies && diet !== 'none' ? ' · ' : null}
    <DietOf diet={diet} />
    {medicalNote && (allergies || diet !== 'none') ? ' · ' : null}
    {medicalNote}
  </LunchCell>
)

const LunchCell = ({ className, ...rest }: TdHTMLAttributes<HTMLTableCellElement>) => (
  <Cell
    {...tableRoles.cell}
    {...rest}
    className={classes('@max-2xl:block @max-2xl:px-0 @max-2xl:py-0', className)}
  />
)
