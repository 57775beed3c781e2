import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { changedParent, newParent, type Parent } from '#contracts/parents'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { useSchemaForm } from '../../ui/form'
import { TextField } from '../../ui/text-field'
import { addParent, changeParent } from './api'

type ParentDialogProps = { parent: Parent | null; onClose: () => void }

/** A new family, or one as it is; a blank password leaves the old one. */
export const ParentDialog = ({ parent, onClose }: ParentDialogProps) => {
  const id = useId()
  const form = useParentForm(parent, onClose)
  return (
    <Dialog
      open
      onClose={onClose}
      title={parent ? 'Edit Parent' : 'Add Parent'}
      actions={
        <>
          <Button variant="secondary" disabled={form.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={form.busy} busyLabel="Saving...">
            {parent ? 'Save Parent' : 'Create Parent'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={form.submit} className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.register('username')}
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={60}
          error={form.errorOf('username')}
        />
        <TextField
          {...form.register('password')}
          label="Password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          hint={parent ? 'Leave blank to keep it; a new one signs them out' : 'At least 6 characters'}
          error={form.errorOf('password')}
        />
        <TextField
          {...form.register('name')}
          label="Name"
          className="sm:col-span-2"
          autoComplete="off"
          maxLength={120}
          error={form.errorOf('name')}
        />
        <TextField
          {...form.register('email')}
          label="Email"
          type="email"
          autoComplete="off"
          maxLength={254}
          error={form.errorOf('email')}
        />
        <TextField
          {...form.register('phone')}
          label="Phone"
          type="tel"
          autoComplete="off"
          maxLength={40}
          error={form.errorOf('phone')}
        />
      </form>
    </Dialog>
  )
}

const useParentForm = (parent: Parent | null, onDone: () => void) => {
  const adding = useMutation(addParent)
  const changing = useMutation(changeParent)
  return useSchemaForm({
    schema: (parent ? changedParent : newParent) as typeof newParent,
    defaultValues: {
      username: parent?.username ?? '',
      password: '',
      name: parent?.name ?? '',
      email: parent?.email ?? '',
      phone: parent?.phone ?? '',
    },
    onSubmit: async (body) => {
      await (parent ? changing.mutateAsync({ id: parent.id, body }) : adding.mutateAsync(body))
      adminToast({ title: parent ? 'Parent updated successfully' : 'Parent created successfully' })
      onDone()
    },
    onFailure: (error) => tellFailure(error, parent ? 'Failed to update parent' : 'Failed to create parent'),
  })
}
