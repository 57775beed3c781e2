import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listParents, parentSorts } from '#contracts/parents'
import { counted } from '../../lib/format'
import { readFilters, useListAddress } from '../../lib/list-address'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged-list'
import { QueryResult } from '../../ui/query-result'
import { parentsQuery } from './api'
import { ParentDialog } from './parent-dialog'
import { ParentRow } from './parent-row'
import { byName, SearchBar } from './search-bar'

/** Families and their students (administrator.md section 2.11). */
export const Parents = () => {
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
              ? 'Search for less of the name, or show all.'
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
                    <ParentRow key={parent.id} parent={parent} />
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
