import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { codeSorts, type CodeSort, listDiscountCodes } from '#contracts/order-reports'
import { counted } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { type ListAddress, readFilters, type Sorting, useListAddress } from '../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { FilterSelect, SearchField, SortSelect, bothOrders } from '../../ui/filters'
import { PagedList } from '../../ui/paged-list'
import { EmptyState, SkeletonLines } from '../../ui/query-result'
import { codesQuery, CodeList } from './code-list'

/** Half of this screen's script; the list shows before it. */
const CodeForm = lazyComponent(() => import('./code-form').then((m) => m.CodeForm))

export const DiscountCodes = () => (
  <div className="flex flex-col gap-5">
    <Card>
      <CardHeading title="New Discount Code" hint="The best active code of a parent or teacher counts" />
      <CardBody>
        <Suspense fallback={<SkeletonLines lines={5} className="h-16 md:h-8" />}>
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

const Codes = () => {
  const list = useListAddress(codeSorts, newestFirst)
  const filters = readFilters(list.address, listDiscountCodes.query, ['search', 'active'])
  const codes = useQuery(codesQuery({ ...list.query, ...filters }))
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
    {filtered ? 'Try a shorter search, or show all.' : 'Create the first one above.'}
  </EmptyState>
)

export const newestFirst: Sorting<CodeSort> = { sort: 'created', direction: 'desc' }

const states = [
  { value: '', label: 'All Codes' },
  { value: 'true', label: 'Active Only' },
  { value: 'false', label: 'Inactive Only' },
]

const orders = [
  ...bothOrders<CodeSort>('created', { desc: 'Newest first', asc: 'Oldest first' }),
  ...bothOrders<CodeSort>('code', { asc: 'Code, A to Z', desc: 'Code, Z to A' }),
  ...bothOrders<CodeSort>('user', { asc: 'User, A to Z', desc: 'User, Z to A' }),
  ...bothOrders<CodeSort>('discount', { desc: 'Highest discount first', asc: 'Lowest discount first' }),
  ...bothOrders<CodeSort>('active', { desc: 'Active first', asc: 'Inactive first' }),
]

export const CodeFilters = ({ list }: { list: ListAddress<CodeSort> }) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      list={list}
      name="search"
      label="Search codes and usernames"
      className="min-w-0 grow basis-64"
    />
    <FilterSelect list={list} name="active" label="Codes" className="w-full sm:w-40" options={states} />
    <SortSelect choices={orders} className="w-full sm:w-60" {...list.sorted} />
  </div>
)
