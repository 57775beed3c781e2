import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { roll, rollSorts, type RollSort, type RollEntry } from '#contracts/enrolment'
import { counted, classlessFilter, noClass } from '../../lib/format'
import { readFilters, type Sorting, useListAddress, type ListAddress } from '../../lib/list-address'
import { consolePaths, paths } from '../../lib/paths'
import { schoolDay } from '../../lib/school-moment'
import { rollQuery } from '../../queries/enrolment'
import { Badge, Breakable } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { Filters, bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/filters'
import { ListCount, PagedList } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import { type RollRequest, type OtherDialogs, gradeAndClass, type RollAct } from './roll-act'
import { RollDialogs } from './roll-dialogs'

/** families.md section 4. */
export const RollList = ({ others }: { others: OtherDialogs }) => {
  const list = useListAddress(rollSorts, byName)
  const [asked, setAsked] = useState<RollRequest | null>(null)
  const filters = {
    ...readFilters(list.address, roll.query, ['text', 'class', 'claimed', 'left']),
    ...classlessFilter(list.address),
  }
  const children = useQuery(rollQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardHeading
        title="Roll"
        hint="Every child of the school, with an account or without"
        actions={
          <>
            <Link to={consolePaths.rollLettersAs(list.address)} className="btn btn-secondary btn-md">
              Letters
            </Link>
            <Link to={consolePaths.yearMove} className="btn btn-secondary btn-md">
              Year Move
            </Link>
          </>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <RollFilters list={list} classes={children.data?.classes ?? []} />
        <PagedList
          query={children}
          list={list}
          pages={({ metadata }) => metadata}
          failure="Failed to fetch the roll"
          empty={<NoChildren filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => <ListCount>{counted(total, 'child', 'children')}</ListCount>}
        >
          {({ data }) => (
            <DataTable
              label="Roll"
              columns={columnsOf((child, act) => setAsked({ act, child }))}
              rows={data}
              keyOf={({ id }) => id}
              rowClass="[&>td]:align-middle"
              sorted={list.sorted}
            />
          )}
        </PagedList>
      </CardBody>
      <RollDialogs asked={asked} onAsk={setAsked} others={others} />
    </Card>
  )
}

const byName: Sorting<RollSort> = { sort: 'name', direction: 'asc' }

const columnsOf = (onAct: (child: RollEntry, act: RollAct) => void): DataColumn<RollEntry, RollSort>[] => [
  {
    label: 'Child',
    by: 'name',
    width: 'full',
    cell: (child) => (
      <>
        <span className="font-semibold break-words">{child.name}</span>
        <States child={child} />
      </>
    ),
  },
  { label: 'Grade and class', by: 'class', named: true, className: 'break-words', cell: gradeAndClass },
  {
    label: 'Admission number',
    by: 'number',
    named: 'Number',
    className: 'break-words',
    cell: ({ admissionNumber }) => admissionNumber ?? <span className="text-muted">None</span>,
  },
  {
    label: 'Family',
    named: true,
    width: 'full',
    className: 'break-words',
    cell: (child) => <Family child={child} />,
  },
  {
    label: 'Actions',
    hideLabel: true,
    width: 'full',
    className: '@max-4xl:p-0! @4xl:w-px @4xl:py-1!',
    cell: (child) => (
      <div className="flex items-center justify-end">
        <IconButton icon="edit" label={`Edit ${child.name}`} onClick={() => onAct(child, 'edit')} />
        <Button
          variant="ghost"
          size="sm"
          className="px-2!"
          aria-label={`More for ${child.name}`}
          onClick={() => onAct(child, 'more')}
        >
          More
        </Button>
      </div>
    ),
  },
]

const NoChildren = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title={filtered ? 'No results found' : 'No children yet'} icon="people">
    {filtered
      ? 'Try a shorter search, or choose all classes and all families.'
      : 'Import the list of the school, or let families enter their children.'}
  </EmptyState>
)

const families = [
  { value: '', label: 'All families' },
  { value: 'true', label: 'With an account' },
  { value: 'false', label: 'Without an account' },
]

const atSchool = [
  { value: '', label: 'Everyone' },
  { value: 'false', label: 'At the school' },
  { value: 'true', label: 'Left the school' },
]

const orders = [
  ...bothWays<RollSort>('name', 'Name', 'text'),
  ...bothWays<RollSort>('class', 'Class', 'number'),
  ...bothWays<RollSort>('number', 'Number', 'number'),
]

const filters = ['class', 'claimed', 'left'] as const

type RollFiltersProps = { list: ListAddress<RollSort>; classes: readonly string[] }

const RollFilters = ({ list, classes }: RollFiltersProps) => (
  <div className="flex flex-col gap-3 xl:flex-row">
    <SearchField
      list={list}
      name="text"
      label="Search children"
      hint="Child, admission number or family"
      className="min-w-0 xl:w-64"
    />
    <div className="min-w-0 flex-1">
      <Filters
        columns="md:grid-cols-4"
        active={filters.filter((name) => list.address.has(name)).length}
        onClear={() => list.onFilter({ class: null, claimed: null, left: null })}
      >
        <FilterSelect
          list={list}
          name="class"
          label="Class"
          options={[
            { value: '', label: 'All classes' },
            ...classes.map((value) => ({ value, label: value })),
            { value: noClass, label: 'Without a class' },
          ]}
        />
        <FilterSelect list={list} name="claimed" label="Family" options={families} />
        <FilterSelect list={list} name="left" label="At the school" options={atSchool} />
        <SortSelect choices={orders} {...list.sorted} />
      </Filters>
    </div>
  </div>
)

const States = ({ child: { leftAt, onRoll } }: { child: RollEntry }) => (
  <span className="mt-0.5 flex flex-wrap items-center gap-1 text-xs text-muted empty:hidden">
    {leftAt ? <Badge tone="warning">{`Left ${schoolDay(leftAt)}`}</Badge> : null}
    {onRoll ? null : 'Entered by the family'}
  </span>
)

/** Account, or the guardian on the roll. */
const Family = ({ child: { parent, guardian } }: { child: RollEntry }) => {
  if (parent)
    return (
      <>
        <Link to={paths.family(parent.id)} className="font-semibold text-brand-700 underline">
          {parent.name}
        </Link>{' '}
        <span className="text-muted">
          <Breakable text={parent.username} />
        </span>
      </>
    )
  const contact = [guardian?.phone, guardian?.email].filter(Boolean).join(' · ')
  return (
    <>
      <Badge tone="info">No account</Badge> {guardian?.name}
      {contact ? <span className="block text-muted">{contact}</span> : null}
    </>
  )
}
