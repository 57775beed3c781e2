import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { administratorList, adminSorts } from '#contracts/administrators'
import { counted } from '../../lib/format'
import { readFilters, useListAddress } from '../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { CollapsibleCard } from '../../ui/collapsible-card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged-list'
import { QueryResult } from '../../ui/query-result'
import { AdminFilters, byRank, type FeatureWords } from './admin-filters'
import { AdminRow } from './admin-row'
import { adminsQuery } from './api'
import { NewAdminForm } from './new-admin-form'

type AdminUsersProps = {
  userId: number
  /** The features that the one at the screen holds and may hand out, in the order of the menu. */
  held: readonly FeatureWords[]
  features: readonly FeatureWords[]
}

/** Who runs the console, and with which features (administrator.md section 2.10). */
export const AdminUsers = ({ userId, held, features }: AdminUsersProps) => {
  const [adding, setAdding] = useState(false)
  return (
    <div className="flex flex-col gap-5">
      <CollapsibleCard
        title="Create Admin User"
        hint="A new account for somebody who runs the tuckshop"
        icon="plus"
        open={adding}
        onToggle={() => setAdding(!adding)}
      >
        <NewAdminForm features={held} onDone={() => setAdding(false)} />
      </CollapsibleCard>
      <Card>
        <CardHeading title="Admin Users" hint="Open one to see and change what they may do" />
        <AdminList userId={userId} features={features} />
      </Card>
    </div>
  )
}

/** The administrators, searched, filtered, sorted and paged as the address says. */
const AdminList = ({ userId, features }: Omit<AdminUsersProps, 'held'>) => {
  const list = useListAddress(adminSorts, byRank)
  const filters = readFilters(list.address, administratorList.query, ['search', 'feature'])
  const admins = useQuery(adminsQuery({ ...list.query, ...filters }))
  return (
    <>
      <CardBody>
        <AdminFilters list={list} features={features} />
      </CardBody>
      <QueryResult
        query={admins}
        failure="Failed to fetch admin users"
        isEmpty={({ metadata }) => metadata.total === 0}
        empty={
          <EmptyState title="No admin users found" icon="people">
            {Object.keys(filters).length > 0
              ? 'Search for less of the username, or choose all features.'
              : 'Create one above to share the work.'}
          </EmptyState>
        }
      >
        {({ data, metadata }) => (
          <>
            <ul className="divide-y divide-line border-y border-line empty:hidden">
              {data.map((admin) => (
                <AdminRow key={admin.id} admin={admin} features={features} own={admin.id === userId} />
              ))}
            </ul>
            <div className="px-4 py-2 sm:px-6">
              <Paged
                page={list.page}
                totalPages={metadata.totalPages}
                busy={admins.isPlaceholderData}
                onPage={list.onPage}
              >
                {data.length === 0 ? null : (
                  <p aria-live="polite" className="text-sm text-muted">
                    {counted(metadata.total, 'administrator')}
                  </p>
                )}
              </Paged>
            </div>
          </>
        )}
      </QueryResult>
    </>
  )
}
