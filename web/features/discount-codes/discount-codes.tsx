import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { codeSorts } from '#contracts/discount-codes'
import { counted } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { PagedList } from '../../ui/paged-list'
import { SkeletonLines } from '../../ui/skeleton'
import { codesQuery } from './api'
import { CodeFilters, filtersInAddress, newestFirst } from './code-filters'
import { CodeList } from './code-list'

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
  const list = useListAddress(codeSorts, newestFirst)
  const filters = filtersInAddress(list.address)
  const codes = useQuery(codesQuery({ ...list.asked, ...filters }))
  return (
    <>
      <CodeFilters list={list} />
      <PagedList
        query={codes}
        list={list}
        pages={({ metadata }) => metadata}
        failure="Failed to fetch discount codes"
        empty={<NoCodes filtered={Object.keys(filters).length > 0} />}
      >
        {({ data }, total) => (
          <>
            <CodeList codes={data} sorted={list.sorted} />
            <p aria-live="polite" className="text-sm text-muted">
              {counted(total, 'code')}
            </p>
          </>
        )}
      </PagedList>
    </>
  )
}

const NoCodes = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title={filtered ? 'No results found' : 'No discount codes yet'} icon="tag">
    {filtered ? 'Search for less of the code or the username, or show all.' : 'Create the first one above.'}
  </EmptyState>
)
