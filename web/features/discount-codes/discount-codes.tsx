import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import type { CodeSort, listDiscountCodes } from '#contracts/ordering'
import { counted } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { addressWith, addressWithSorting } from '../../lib/list-address'
import type { Sorting } from '../../lib/list-address'
import { addressWithPage } from '../../lib/page-in-address'
import { BeyondLastPage } from '../../ui/beyond-last-page'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
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
  const [address, setAddress] = useSearchParams()
  const asked = codesInAddress(address)
  const codes = useQuery(codesQuery(asked))
  const show = (next: URLSearchParams) => setAddress(next, { replace: true })
  const onPage = (page: number) => show(addressWithPage(address, page))
  const sorted = {
    sorting: asked.sorting,
    onSort: (sorting: Sorting<CodeSort>) => show(addressWithSorting(address, sorting, newestFirst)),
  }
  return (
    <>
      <CodeFilters
        asked={asked}
        sorted={sorted}
        onFilter={(key, value) => show(addressWith(address, { [key]: value || null }))}
      />
      <QueryFaces<ReplyOf<typeof listDiscountCodes>>
        query={codes}
        failure="Failed to fetch discount codes"
        isEmpty={({ metadata }) => metadata.total === 0}
        empty={<NoCodes filtered={asked.search !== '' || asked.active !== null} />}
      >
        {({ data, metadata }) =>
          data.length === 0 ? (
            <BeyondLastPage lastPage={metadata.totalPages} onPage={onPage} />
          ) : (
            <>
              <CodeList codes={data} sorted={sorted} />
              <p aria-live="polite" className="text-sm text-muted">
                {counted(metadata.total, 'code')}
              </p>
              <Pager
                page={asked.page}
                totalPages={metadata.totalPages}
                busy={codes.isPlaceholderData}
                onPage={onPage}
              />
            </>
          )
        }
      </QueryFaces>
    </>
  )
}

const NoCodes = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title={filtered ? 'No results found' : 'No discount codes yet'} icon="tag">
    {filtered ? 'Search for less of the code or the username, or show all.' : 'Create the first one above.'}
  </EmptyState>
)
