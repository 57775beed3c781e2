import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import { codeSorts, type listDiscountCodes } from '#contracts/discount-codes'
import { counted } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged'
import { QueryFaces } from '../../ui/query-faces'
import { SkeletonLines } from '../../ui/skeleton'
import { codesQuery } from './api'
import { CodeFilters } from './code-filters'
import { CodeList } from './code-list'
import { codesInAddress, newestFirst } from './codes-address'

/** Its choice of users is half of this screen's script; the codes are there before it. */
const CodeForm = lazyPart(() => import('./code-form').then((m) => m.CodeForm))

/** Settings, Discount Codes: who pays less, by how much. */
export const DiscountCodes = () => (
  <div className="flex flex-col gap-5">
    <Card>
      <CardHeading title="New Discount Code" hint="The best active code of a parent or teacher counts" />
      <CardBody>
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <CodeForm />
        </Suspense>
      </CardBody>
    </Card>
    <Card>
      <CardHeading title="Discount Codes" />
      <CardBody className="flex flex-col gap-4">
        <Codes />
      </CardBody>
    </Card>
  </div>
)

/** The codes, searched, filtered, sorted and paged as the address says. */
const Codes = () => {
  const { address, sorted, onPage, onFilter, onTyped } = useListAddress(codeSorts, newestFirst)
  const asked = codesInAddress(address)
  const codes = useQuery(codesQuery(asked))
  return (
    <>
      <CodeFilters
        asked={asked}
        sorted={sorted}
        onSearch={(search) => onTyped({ search: search || null })}
        onActive={(active) => onFilter({ active: active || null })}
      />
      <QueryFaces<ReplyOf<typeof listDiscountCodes>>
        query={codes}
        failure="Failed to fetch discount codes"
        isEmpty={({ metadata }) => metadata.total === 0}
        empty={<NoCodes filtered={asked.search !== '' || asked.active !== null} />}
      >
        {({ data, metadata }) => (
          <Paged
            page={asked.page}
            totalPages={metadata.totalPages}
            busy={codes.isPlaceholderData}
            onPage={onPage}
          >
            {data.length === 0 ? null : (
              <>
                <CodeList codes={data} sorted={sorted} />
                <p aria-live="polite" className="text-sm text-muted">
                  {counted(metadata.total, 'code')}
                </p>
              </>
            )}
          </Paged>
        )}
      </QueryFaces>
    </>
  )
}

const NoCodes = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title={filtered ? 'No results found' : 'No discount codes yet'} icon="tag">
    {filtered ? 'Search for less of the code or the username, or show all.' : 'Create the first one above.'}
  </EmptyState>
)
