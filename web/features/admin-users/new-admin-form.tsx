import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useController, useForm } from 'react-hook-form'
import { createAdmin, type FeatureName } from '#contracts/identity'
import { showFieldErrors } from '../../lib/field-errors'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { ChipGroup } from '../../ui/chip-group'
import { TextField } from '../../ui/text-field'
import { addAdmin } from './api'
import type { FeatureWords } from './feature-words'

type NewAdminFormProps = { features: readonly FeatureWords[]; onDone: () => void }

/** Username, password, and those features that the maker holds. */
export const NewAdminForm = ({ features, onDone }: NewAdminFormProps) => {
  const { form, save } = useNewAdminForm(onDone)
  const { field } = useController({ control: form.control, name: 'allowedFeatures' })
  const chosen: readonly FeatureName[] = field.value ?? []
  const toggle = (feature: string) =>
    field.onChange(features.map(({ key }) => key).filter((key) => chosen.includes(key) !== (key === feature)))
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
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
          hint="At least 6 characters; tell it to nobody but them"
          error={errors.password?.message}
        />
      </div>
      <ChipGroup
        label="Features"
        hint="The sections they will find in their menu"
        options={features.map(({ key, label }) => ({ value: key, label }))}
        chosen={chosen}
        onToggle={toggle}
      />
      <Button type="submit" busy={isSubmitting} busyLabel="Creating..." className="self-start max-sm:w-full">
        Create Admin
      </Button>
    </form>
  )
}

const useNewAdminForm = (onDone: () => void) => {
  const adding = useMutation(addAdmin)
  const form = useForm({
    resolver: zodResolver(createAdmin.body),
    defaultValues: { username: '', password: '', allowedFeatures: [] },
  })
  const save = form.handleSubmit(async (typed) => {
    try {
      await adding.mutateAsync(typed)
      adminToast({ title: 'Admin user created successfully' })
      onDone()
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to create admin user')
    }
  })
  return { form, save }
}
