import { useMutation } from '@tanstack/react-query'
import { Controller, useFormContext } from 'react-hook-form'
import { getStaffCode, saveStaffCode } from '#contracts/accounts'
import type { ReplyOf } from '#contracts/endpoint'
import { getSecurity, saveSecurity } from '#contracts/identity'
import { endpointMutation, endpointQuery, useFresh } from '../../lib/endpoint-query'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Switch } from '../../ui/checkbox'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'

/** Refetched whenever opened. */
const securityQuery = { ...endpointQuery('identity', getSecurity, {}), staleTime: 0 }
const saveLimits = endpointMutation(saveSecurity, 'identity')

/** Administrators' sign-in and account limits. */
export const SecuritySettings = () => {
  const security = useFresh(securityQuery)
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <CardHeading
          title="Security"
          hint="What administrators need to log in, and how much one account may hold"
        />
        <CardBody>
          <QueryResult query={security} failure="Failed to fetch security settings">
            {(saved) => <SecurityForm saved={saved} />}
          </QueryResult>
        </CardBody>
      </Card>
      <StaffCodeSettings />
    </div>
  )
}

const SecurityForm = ({ saved }: { saved: ReplyOf<typeof getSecurity> }) => {
  const saving = useMutation(saveLimits)
  return (
    <Form
      schema={saveSecurity.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        form.reset(await saving.mutateAsync({ body }))
        adminToast({ title: 'Security settings saved successfully' })
      }}
      failed="Failed to save security settings"
      className="flex max-w-form flex-col gap-4"
    >
      <SecondFactorSwitch />
      <FormField
        name="maxChildren"
        label="Children a parent can add"
        number
        hint="An administrator can add more to a parent"
      />
      <FormField
        name="maxUnpaidMeals"
        label="Unpaid meals of one child"
        number
        hint="How many unpaid meals one child may have at once"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Security Settings
      </SubmitButton>
    </Form>
  )
}

const SecondFactorSwitch = () => {
  const { control } = useFormContext<ReplyOf<typeof getSecurity>>()
  return (
    <Controller
      control={control}
      name="requireSecondFactor"
      render={({ field: { value, onChange } }) => (
        <Switch label="Every administrator needs a second factor" checked={value} onChange={onChange} />
      )}
    />
  )
}

/** Refetched whenever opened. */
const codeQuery = { ...endpointQuery('identity', getStaffCode, {}), staleTime: 0 }
const saveCode = endpointMutation(saveStaffCode, 'identity')

/** Code for parents who work at the school. */
export const StaffCodeSettings = () => (
  <Card>
    <CardHeading
      title="Staff code"
      hint="A parent who enters it orders for themselves too, as a teacher does"
    />
    <CardBody>
      <QueryResult query={useFresh(codeQuery)} failure="Failed to fetch the staff code">
        {(saved) => <StaffCodeForm saved={saved} />}
      </QueryResult>
    </CardBody>
  </Card>
)

const StaffCodeForm = ({ saved }: { saved: ReplyOf<typeof getStaffCode> }) => {
  const saving = useMutation(saveCode)
  return (
    <Form
      schema={saveStaffCode.body}
      defaultValues={saved}
      onSave={async (body, form) => {
        const now = await saving.mutateAsync({ body })
        form.reset(now)
        adminToast({ title: now.staffCode ? 'Staff code saved' : 'Staff code removed' })
      }}
      failed="Failed to save the staff code"
      className="flex max-w-form flex-col gap-4"
    >
      <FormField
        name="staffCode"
        label="Staff code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        hint="At least 6 characters; empty = no code accepted. Staff who used it stay; change it when somebody leaves"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Staff Code
      </SubmitButton>
    </Form>
  )
}
