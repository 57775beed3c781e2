import { useMutation } from '@tanstack/react-query'
import { useController } from 'react-hook-form'
import type { BodyOf } from '#contracts/endpoint'
import { createAdmin } from '#contracts/identity'
import { adminToast } from '../../lib/toast'
import { ChipGroup } from '../../ui/chip-group'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { addAdmin } from './api'
import type { FeatureWords } from './admin-filters'

type NewAdminFormProps = { features: readonly FeatureWords[]; onDone: () => void }

/** Username, password, and those features that the maker holds. */
export const NewAdminForm = ({ features, onDone }: NewAdminFormProps) => {
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
          hint="At least 6 characters; tell it to nobody but them"
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
