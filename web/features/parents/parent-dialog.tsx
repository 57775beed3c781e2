import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { changedParent, newParent, type Parent } from '#contracts/parents'
import { showFieldErrors } from '../../lib/field-errors'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/text-field'
import { addParent, changeParent } from './api'

type ParentDialogProps = { parent: Parent | null; onClose: () => void }

/** A new family, or one as it is; a blank password leaves the old one. */
export const ParentDialog = ({ parent, onClose }: ParentDialogProps) => {
  const id = useId()
  const { form, save } = useParentForm(parent, onClose)
  const { errors, isSubmitting } = form.formState
  return (
    <Dialog
      open
      onClose={onClose}
      title={parent ? 'Edit Parent' : 'Add Parent'}
      actions={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isSubmitting} busyLabel="Saving...">
            {parent ? 'Save Parent' : 'Create Parent'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={save} className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.register('username')}
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={60}
          error={errors.username?.message}
        />
        <TextField
          {...form.register('password')}
          label="Password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          hint={parent ? 'Leave blank to keep it; a new one signs them out' : 'At least 6 characters'}
          error={errors.password?.message}
        />
        <TextField
          {...form.register('name')}
          label="Name"
          className="sm:col-span-2"
          autoComplete="off"
          maxLength={120}
          error={errors.name?.message}
        />
        <TextField
          {...form.register('email')}
          label="Email"
          type="email"
          autoComplete="off"
          maxLength={254}
          error={errors.email?.message}
        />
        <TextField
          {...form.register('phone')}
          label="Phone"
          type="tel"
          autoComplete="off"
          maxLength={40}
          error={errors.phone?.message}
        />
      </form>
    </Dialog>
  )
}

const useParentForm = (parent: Parent | null, onDone: () => void) => {
  const adding = useMutation(addParent)
  const changing = useMutation(changeParent)
  const form = useForm({
    resolver: zodResolver((parent ? changedParent : newParent) as typeof newParent),
    defaultValues: {
      username: parent?.username ?? '',
      password: '',
      name: parent?.name ?? '',
      email: parent?.email ?? '',
      phone: parent?.phone ?? '',
    },
  })
  const save = form.handleSubmit(async (body) => {
    try {
      await (parent ? changing.mutateAsync({ id: parent.id, body }) : adding.mutateAsync(body))
      adminToast({ title: parent ? 'Parent updated successfully' : 'Parent created successfully' })
      onDone()
    } catch (error) {
      if (!showFieldErrors(form, error))
        notifyFailure(error, parent ? 'Failed to update parent' : 'Failed to create parent')
    }
  })
  return { form, save }
}
