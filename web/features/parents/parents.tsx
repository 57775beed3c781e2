import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import type { listParents } from '#contracts/parents'
import { counted } from '../../lib/format'
import { addressWithPage } from '../../lib/page-in-address'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { parentsQuery } from './api'
import { ParentDialog } from './parent-dialog'
import { ParentRow } from './parent-row'
import { askedInAddress } from './parents-address'
import { SearchBar } from './search-bar'

/** Families and their students (administrator.md section 2.11). */
export const Parents = () => {
  const [address, setAddress] = useSearchParams()
  const [adding, setAdding] = useState(false)
  const asked = askedInAddress(address)
  const parents = useQuery(parentsQuery(asked))
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
        <SearchBar />
      </CardBody>
      <QueryFaces<ReplyOf<typeof listParents>>
        query={parents}
        failure="Failed to fetch parents"
        isEmpty={({ data }) => data.length === 0 && asked.page === 1}
        empty={
          <EmptyState title="No parents found" icon="people">
            {asked.search
              ? 'Search for less of the name, or show all.'
              : 'Families register themselves, or you add them here.'}
          </EmptyState>
        }
      >
        {({ data, metadata }) => (
          <>
            <ul className="divide-y divide-line border-t border-line">
              {data.map((parent) => (
                <ParentRow key={parent.id} parent={parent} />
              ))}
            </ul>
            <div className="px-4 sm:px-6">
              <Pager
                page={asked.page}
                totalPages={Math.max(metadata.totalPages, asked.page)}
                busy={parents.isPlaceholderData}
                onPage={(next) => setAddress(addressWithPage(address, next), { replace: true })}
              />
            </div>
          </>
        )}
      </QueryFaces>
      {adding ? <ParentDialog parent={null} onClose={() => setAdding(false)} /> : null}
    </Card>
  )
}
