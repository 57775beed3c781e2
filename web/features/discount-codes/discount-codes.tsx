import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import type { listDiscountCodes } from '#contracts/ordering'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { TextField } from '../../ui/text-field'
import { codesQuery } from './api'
import { CodeForm } from './code-form'
import { CodeList } from './code-list'

/** Settings, Discount Codes: who pays less, by how much. Page and search are in the address. */
export const DiscountCodes = () => {
  const [address, setAddress] = useSearchParams()
  const page = pageFromAddress(address)
  const search = address.get('search')?.trim() ?? ''
  const codes = useQuery(codesQuery(page, search))
  const searchFor = (text: string) => {
    const next = addressWithPage(address, 1)
    if (text.trim()) next.set('search', text)
    else next.delete('search')
    setAddress(next, { replace: true })
  }
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <CardHeading title="New Discount Code" hint="The best active code of a parent or teacher counts" />
        <CardBody>
          <CodeForm />
        </CardBody>
      </Card>
      <Card>
        <CardHeading title="Discount Codes" />
        <CardBody className="flex flex-col gap-4">
          <TextField
            label="Search codes and usernames"
            type="search"
            className="max-w-form"
            maxLength={100}
            defaultValue={search}
            onChange={(event) => searchFor(event.target.value)}
          />
          <QueryFaces<ReplyOf<typeof listDiscountCodes>>
            query={codes}
            failure="Failed to fetch discount codes"
            isEmpty={({ data }) => data.length === 0 && page === 1}
            empty={
              <EmptyState title={search ? 'No results found' : 'No discount codes yet'} icon="tag">
                {search ? 'Search for less of the code or the username.' : 'Create the first one above.'}
              </EmptyState>
            }
          >
            {({ data, metadata }) => (
              <>
                <CodeList codes={data} />
                <Pager
                  page={page}
                  totalPages={Math.max(metadata.totalPages, page)}
                  busy={codes.isPlaceholderData}
                  onPage={(next) => setAddress(addressWithPage(address, next), { replace: true })}
                />
              </>
            )}
          </QueryFaces>
        </CardBody>
      </Card>
    </div>
  )
}
