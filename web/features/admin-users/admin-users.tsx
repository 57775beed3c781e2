import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { CollapsibleCard } from '../../ui/collapsible-card'
import { EmptyState } from '../../ui/empty-state'
import { QueryFaces } from '../../ui/query-faces'
import { AdminRow } from './admin-row'
import { adminsQuery } from './api'
import type { FeatureWords } from './feature-words'
import { NewAdminForm } from './new-admin-form'

type AdminUsersProps = {
  userId: number
  /** The features that the one at the screen holds and may hand out, in the order of the menu. */
  held: readonly FeatureWords[]
  features: readonly FeatureWords[]
}

/** Who runs the console, and with which features (administrator.md section 2.10). */
export const AdminUsers = ({ userId, held, features }: AdminUsersProps) => {
  const admins = useQuery(adminsQuery)
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
        <CardBody className="px-0! sm:px-0!">
          <QueryFaces
            query={admins}
            failure="Failed to fetch admin users"
            isEmpty={(list) => list.length === 0}
            empty={
              <EmptyState title="No admin users found" icon="people">
                Create one above to share the work.
              </EmptyState>
            }
          >
            {(list) => (
              <ul className="divide-y divide-line border-t border-line">
                {list.map((admin) => (
                  <AdminRow key={admin.id} admin={admin} features={features} own={admin.id === userId} />
                ))}
              </ul>
            )}
          </QueryFaces>
        </CardBody>
      </Card>
    </div>
  )
}
