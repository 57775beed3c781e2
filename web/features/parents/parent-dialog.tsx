import { useMutation } from '@tanstack/react-query'
import { changedParent, newParent, type Parent } from '#contracts/parents'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { addParent, changeParent } from './api'

type ParentDialogProps = { parent: Parent | null; onClose: () => void }

/** A new family, or one as it is; a blank password leaves the old one. */
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
