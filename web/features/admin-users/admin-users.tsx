import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { administratorList, adminSorts } from '#contracts/accounts'
import type { BodyOf } from '#contracts/endpoint'
import { createAdmin } from '#contracts/identity'
import { counted } from '../../lib/format'
import { readFilters, useListAddress } from '../../lib/list-address'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading, CollapsibleCard } from '../../ui/card'
import { ChipGroup } from '../../ui/chip-group'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Paged } from '../../ui/paged-list'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { useLeave } from '../../ui/unsaved'
import { AdminRow } from './admin-row'
import { AdminFilters, byRank, type FeatureText, adminsQuery, addAdmin } from './admins'

type AdminUsersProps = {
  userId: number
  /** Features the caller may hand out, in menu order. */
  held: readonly FeatureText[]
  features: readonly FeatureText[]
}

export const AdminUsers = ({ userId, held, features }: AdminUsersProps) => {
  const [adding, setAdding] = useState(false)
  const leave = useLeave()
  return (
    <div className="flex flex-col gap-5">
      <CollapsibleCard
        title="Create Admin User"
        hint="A new account for somebody who runs the tuckshop"
        icon="plus"
        open={adding}
        onToggle={() => (adding ? leave(() => setAdding(false)) : setAdding(true))}
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
              ? 'Try a shorter search, or choose all features.'
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

type NewAdminFormProps = { features: readonly FeatureText[]; onDone: () => void }

const NewAdminForm = ({ features, onDone }: NewAdminFormProps) => {
  const adding = useMutation(addAdmin)
  return (
    <Form
      schema={createAdmin.body}
      defaultValues={{ username: '', password: '', allowedFeatures: [] }}
      onSave={async (body) => {
        await adding.mutateAsync({ body })
        adminToast({ title: 'Admin user created successfully' })
        onDone()
      }}
      failed="Failed to create admin user"
      className="flex flex-col gap-5"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField name="username" label="Username" autoComplete="off" autoCapitalize="none" maxLength={60} />
        <FormField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          hint="At least 10 characters; share it only with them"
        />
      </div>
      <FeatureChips features={features} />
      <SubmitButton busyLabel="Creating..." className="self-start max-sm:w-full">
        Create Admin
      </SubmitButton>
    </Form>
  )
}

const FeatureChips = ({ features }: Pick<NewAdminFormProps, 'features'>) => {
  const {
    field: { value: chosen = [], onChange },
  } = useController<BodyOf<typeof createAdmin>, 'allowedFeatures'>({ name: 'allowedFeatures' })
  return (
    <ChipGroup
      label="Features"
      hint="The sections they will find in their menu"
      options={features.map(({ key, label }) => ({ value: key, label }))}
      chosen={chosen}
      onToggle={(feature) =>
        onChange(features.map(({ key }) => key).filter((key) => chosen.includes(key) !== (key === feature)))
      }
    />
  )
}
