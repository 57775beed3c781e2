import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import { type listParents, parentSorts } from '#contracts/parents'
import { counted } from '../../lib/format'
import { useListAddress } from '../../lib/list-address'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged-list'
import { QueryFaces } from '../../ui/query-faces'
import { parentsQuery } from './api'
import { ParentDialog } from './parent-dialog'
import { ParentRow } from './parent-row'
import { byName, SearchBar, searchInAddress } from './search-bar'

/** Families and their students (administrator.md section 2.11). */
export const Parents = () => {
  const list = useListAddress(parentSorts, byName)
  const [adding, setAdding] = useState(false)
  const search = searchInAddress(list.address)
  const parents = useQuery(parentsQuery(search ? { ...list.asked, search } : list.asked))
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
      <QueryFaces<ReplyOf<typeof listParents>>
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
      </QueryFaces>
      {adding ? <ParentDialog parent={null} onClose={() => setAdding(false)} /> : null}
    </Card>
  )
}
