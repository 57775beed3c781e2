import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import { getStaffCode, saveStaffCode, staffCodeSetting } from '#contracts/staff'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'

/** Read again whenever it is opened: another administrator may have changed it. */
const codeQuery = { ...endpointQuery('identity', getStaffCode, {}), staleTime: 0 }
const saveCode = endpointMutation(saveStaffCode, 'identity')

/** Settings, Security: what parents who work at the school show to order for themselves. */
export const StaffCodeSettings = () => (
  <Card>
    <CardHeading
      title="Staff code"
      hint="A parent who enters it orders for themselves too, as a teacher does"
    />
    <CardBody>
      <QueryResult query={useQuery(codeQuery)} failure="Failed to fetch the staff code">
        {(saved) => <StaffCodeForm saved={saved} />}
      </QueryResult>
    </CardBody>
  </Card>
)

const StaffCodeForm = ({ saved }: { saved: ReplyOf<typeof getStaffCode> }) => {
  const saving = useMutation(saveCode)
  return (
    <Form
      schema={staffCodeSetting}
      defaultValues={saved}
      onSave={async (body, form) => {
        const now = await saving.mutateAsync({ body })
        form.reset(now)
        adminToast({ title: now.staffCode ? 'Staff code saved' : 'No staff code is taken any more' })
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
        hint="6 characters or more; empty takes none. Who has used it stays; change it when somebody leaves"
      />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Staff Code
      </SubmitButton>
    </Form>
  )
}
