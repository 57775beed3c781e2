import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import {
  changedParent,
  newParent,
  type Parent,
  createParent,
  deleteAnyStudent,
  deleteParent,
  updateParent,
} from '#contracts/accounts'
import { getParentCredit, giveCredit } from '#contracts/credit'
import { childGrade, gradeNames, addStudent } from '#contracts/identity'
import { payOutCredit } from '#contracts/refunds'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'
import { gradeLabel } from '../../lib/format'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'

type ParentDialogProps = { parent: Parent | null; onClose: () => void }

/** A blank password keeps the old one. */
export const ParentDialog = ({ parent, onClose }: ParentDialogProps) => {
  const adding = useMutation(addParent)
  const changing = useMutation(changeParent)
  return (
    <FormDialog
      title={parent ? 'Edit Parent' : 'Add Parent'}
      submit={parent ? 'Save Parent' : 'Create Parent'}
      busyLabel="Saving..."
      schema={(parent ? changedParent : newParent) as typeof newParent}
      defaultValues={{
        username: parent?.username ?? '',
        password: '',
        name: parent?.name ?? '',
        email: parent?.email ?? '',
        phone: parent?.phone ?? '',
        ...(parent && { version: parent.version }),
      }}
      onSave={(body) =>
        parent ? changing.mutateAsync({ params: { id: parent.id }, body }) : adding.mutateAsync({ body })
      }
      done={`Parent ${parent ? 'updated' : 'created'} successfully`}
      failed={`Failed to ${parent ? 'update' : 'create'} parent`}
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField name="username" label="Username" autoComplete="off" autoCapitalize="none" maxLength={60} />
      <FormField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        maxLength={200}
        hint={parent ? 'Leave blank to keep it; a new one signs them out' : 'At least 6 characters'}
      />
      <FormField name="name" label="Name" className="sm:col-span-2" autoComplete="off" maxLength={120} />
      <FormField name="email" label="Email" type="email" autoComplete="off" maxLength={254} />
      <FormField name="phone" label="Phone" type="tel" autoComplete="off" maxLength={40} />
    </FormDialog>
  )
}

/** administrator.md section 5; parents may use shorter names. */
const studentForm = z.object({
  name: z.string().check(z.trim(), z.minLength(2, 'Name must be at least 2 characters'), z.maxLength(120)),
  grade: z.string().check(z.refine((text) => z.safeParse(childGrade, text).success, 'Grade is required')),
})

export const StudentDialog = ({ parent, onClose }: { parent: Parent; onClose: () => void }) => {
  const adding = useMutation(addChild)
  return (
    <FormDialog
      title="Add Student"
      description={`A child of ${parent.name} (${parent.username})`}
      submit="Add Student"
      busyLabel="Saving..."
      schema={studentForm}
      defaultValues={{ name: '', grade: '' }}
      onSave={({ name, grade }) =>
        adding.mutateAsync({ body: { name, grade: z.parse(childGrade, grade), parentId: parent.id } })
      }
      done="Student created successfully"
      failed="Failed to create student"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField name="name" label="Name" autoComplete="off" maxLength={120} />
      <FormField
        name="grade"
        label="Grade"
        placeholder="Choose"
        options={gradeNames.map((value) => ({ value, label: gradeLabel(value) }))}
      />
    </FormDialog>
  )
}

const touched = ['identity', 'ordering', 'refunds'] as const

const addParent = endpointMutation(createParent, ...touched)
const changeParent = endpointMutation(updateParent, ...touched)
const addChild = endpointMutation(addStudent, ...touched)
export const removeParent = endpointMutation(deleteParent, ...touched)
export const removeStudent = endpointMutation(deleteAnyStudent, ...touched)

/** Refetched whenever opened. */
export const creditQuery = (id: number) => ({
  ...endpointQuery('refunds', getParentCredit, { params: { id } }),
  staleTime: 0,
})
export const give = endpointMutation(giveCredit, 'refunds')
export const payOut = endpointMutation(payOutCredit, 'refunds')
