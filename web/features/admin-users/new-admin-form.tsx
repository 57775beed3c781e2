import { useMutation } from '@tanstack/react-query'
import { createAdmin, type FeatureName } from '#contracts/identity'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { ChipGroup } from '../../ui/chip-group'
import { useSchemaForm } from '../../ui/form'
import { TextField } from '../../ui/text-field'
import { addAdmin } from './api'
import type { FeatureWords } from './feature-words'

type NewAdminFormProps = { features: readonly FeatureWords[]; onDone: () => void }

/** Username, password, and those features that the maker holds. */
export const NewAdminForm = ({ features, onDone }: NewAdminFormProps) => {
  const form = useNewAdminForm(onDone)
  const chosen: readonly FeatureName[] = form.watch('allowedFeatures') ?? []
  const toggle = (feature: string) =>
    form.setValue(
      'allowedFeatures',
      features.map(({ key }) => key).filter((key) => chosen.includes(key) !== (key === feature)),
    )
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
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
          hint="At least 6 characters; tell it to nobody but them"
          error={form.errorOf('password')}
        />
      </div>
      <ChipGroup
        label="Features"
        hint="The sections they will find in their menu"
        options={features.map(({ key, label }) => ({ value: key, label }))}
        chosen={chosen}
        onToggle={toggle}
      />
      <Button type="submit" busy={form.busy} busyLabel="Creating..." className="self-start max-sm:w-full">
        Create Admin
      </Button>
    </form>
  )
}

const useNewAdminForm = (onDone: () => void) => {
  const adding = useMutation(addAdmin)
  return useSchemaForm({
    schema: createAdmin.body,
    defaultValues: { username: '', password: '', allowedFeatures: [] },
    onSubmit: async (typed) => {
      await adding.mutateAsync(typed)
      adminToast({ title: 'Admin user created successfully' })
      onDone()
    },
    onFailure: (error) => tellFailure(error, 'Failed to create admin user'),
  })
}
