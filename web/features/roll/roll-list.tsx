import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { roll, rollSorts, type RollSort } from '#contracts/roll'
import { consolePaths } from '../../lib/console-paths'
import { counted } from '../../lib/format'
import { readFilters, type Sorting, useListAddress } from '../../lib/list-address'
import { classlessAsked } from '../../lib/no-class'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { ListCount, PagedList } from '../../ui/paged-list'
import { StackedTable } from '../../ui/stacked-table'
import { rollQuery } from './api'
import { RollFilters } from './roll-filters'
import type { AskedAct, OtherDialogs } from './roll-act'
import { RollDialogs } from './roll-dialogs'
import { RollRow } from './roll-row'

/** Every child of the school, whether an account has it or not (families.md section 4). */
export const RollList = ({ others }: { others: OtherDialogs }) => {
  const list = useListAddress(rollSorts, byName)
  const [asked, setAsked] = useState<AskedAct | null>(null)
  const filters = {
    ...readFilters(list.address, roll.query, ['text', 'class', 'claimed', 'left']),
    ...classlessAsked(list.address),
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
            <StackedTable label="Roll" columns={columns} sorted={list.sorted}>
              {data.map((child) => (
                <RollRow key={child.id} child={child} onAct={(act) => setAsked({ act, child })} />
              ))}
            </StackedTable>
          )}
        </PagedList>
      </CardBody>
      <RollDialogs asked={asked} onAsk={setAsked} others={others} />
    </Card>
  )
}

const byName: Sorting<RollSort> = { sort: 'name', direction: 'asc' }

const columns = [
  { label: 'Child', by: 'name' },
  { label: 'Grade and class', by: 'class' },
  { label: 'Admission number', by: 'number' },
  { label: 'Family' },
  { label: 'Actions', hideLabel: true },
] as const

const NoChildren = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title={filtered ? 'No results found' : 'No children yet'} icon="people">
    {filtered
      ? 'Search for less of the name, or choose all classes and all families.'
      : 'Import the list of the school, or let families enter their children.'}
  </EmptyState>
)
