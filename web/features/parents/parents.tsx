import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { listParents, parentSorts, type ParentSort } from '#contracts/accounts'
import { counted } from '../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../lib/list-address'
import { parentsQuery } from '../../queries/enrolment'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { TextField } from '../../ui/field'
import { SortSelect, bothOrders } from '../../ui/filters'
import { Paged } from '../../ui/paged-list'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { ParentDialog } from './parent-dialogs'
import { ParentRow } from './parent-row'

type ParentsProps = Pick<Parameters<typeof ParentRow>[0], 'maySeeCredit' | 'waitingPayouts' | 'health'>

/** administrator.md section 2.11; credit needs its feature. */
export const Parents = ({ maySeeCredit, waitingPayouts, health }: ParentsProps) => {
  const list = useListAddress(parentSorts, byName)
  const [adding, setAdding] = useState(false)
  const filters = readFilters(list.address, listParents.query, ['search'])
  const { search = '' } = filters
  const parents = useQuery(parentsQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardHeading
        title="Parents"
        hint={parents.data ? counted(parents.data.metadata.total, 'account') : undefined}
        actions={
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add Parent
          </Button>
        }
      />
      <CardBody>
        <SearchBar key={search} list={list} search={search} />
      </CardBody>
      <QueryResult
        query={parents}
        failure="Failed to fetch parents"
        isEmpty={({ metadata }) => metadata.total === 0}
        empty={
          <EmptyState title="No parents found" icon="people">
            {search
              ? 'Try a shorter search, or show all.'
              : 'Families register themselves, or you add them here.'}
          </EmptyState>
        }
      >
        {({ data, metadata }) => (
          <div className="px-4 sm:px-6">
            <Paged
              page={list.page}
              totalPages={metadata.totalPages}
              busy={parents.isPlaceholderData}
              onPage={list.onPage}
            >
              {data.length === 0 ? null : (
                <ul className="-mx-4 divide-y divide-line border-t border-line sm:-mx-6">
                  {data.map((parent) => (
                    <ParentRow
                      key={parent.id}
                      parent={parent}
                      maySeeCredit={maySeeCredit}
                      waitingPayouts={waitingPayouts}
                      health={health}
                    />
                  ))}
                </ul>
              )}
            </Paged>
          </div>
        )}
      </QueryResult>
      {adding ? <ParentDialog parent={null} onClose={() => setAdding(false)} /> : null}
    </Card>
  )
}

const byName: Sorting<ParentSort> = { sort: 'name', direction: 'asc' }

const orders = [
  ...bothOrders<ParentSort>('name', { asc: 'Name', desc: 'Name, Z to A' }),
  ...bothOrders<ParentSort>('username', { asc: 'Username', desc: 'Username, Z to A' }),
  ...bothOrders<ParentSort>('newest', { asc: 'Newest first', desc: 'Oldest first' }),
]

const searchForm = z.pick(listParents.query, { search: true })

type SearchBarProps = { list: ListAddress<ParentSort>; search: string }

/** Searches from 3 characters; state in the address. */
const SearchBar = ({ list, search }: SearchBarProps) => {
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(searchForm),
    defaultValues: { search },
    reValidateMode: 'onSubmit',
  })
  return (
    <form
      noValidate
      onSubmit={handleSubmit((typed) => list.onFilter({ search: typed.search || null }))}
      className="flex flex-wrap items-start gap-3"
    >
      <TextField
        {...register('search')}
        label="Search parents"
        type="search"
        className="min-w-0 grow basis-64"
        maxLength={100}
        hint="Username, name, email, phone or a student's name"
        error={formState.errors.search?.message}
      />
      <div className="flex gap-2 sm:pt-7">
        <Button type="submit" icon="search">
          Search
        </Button>
        {search ? (
          <Button
            variant="secondary"
            onClick={() => {
              reset({ search: '' })
              list.onFilter({ search: null })
            }}
          >
            Show All
          </Button>
        ) : null}
      </div>
      <SortSelect choices={orders} className="w-44" {...list.sorted} />
    </form>
  )
}
