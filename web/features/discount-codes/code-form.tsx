import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createDiscountCode } from '#contracts/discount-codes'
import { adminToast } from '../../lib/toast'
import { tellFailure } from '../../lib/told'
import { Button } from '../../ui/button'
import { useSchemaForm } from '../../ui/form'
import { Switch } from '../../ui/switch'
import { TextField } from '../../ui/text-field'
import { addCode } from './api'
import { type PickedUser, UserPicker } from './user-picker'

const blank = { code: '', userId: 0, discountPercentage: 10, isActive: true }

/** A new code of one user, 10 percent and active unless said otherwise. */
export const CodeForm = () => {
  const [user, setUser] = useState<PickedUser | null>(null)
  const adding = useMutation(addCode)
  const form = useSchemaForm({
    schema: createDiscountCode.body,
    defaultValues: blank,
    onSubmit: async (typed) => {
      await adding.mutateAsync(typed)
      adminToast({ title: 'Discount code created successfully' })
      setUser(null)
      form.reset(blank)
    },
    onFailure: (error) => tellFailure(error, 'Failed to create discount code'),
  })
  const pick = (picked: PickedUser | null) => {
    setUser(picked)
    form.setValue('userId', picked?.id ?? 0, { shouldValidate: form.formState.isSubmitted })
  }
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField
          {...form.register('code')}
          label="Code"
          autoComplete="off"
          maxLength={40}
          error={form.errorOf('code')}
        />
        <UserPicker picked={user} onPick={pick} error={form.errorOf('userId')} />
        <TextField
          {...form.register('discountPercentage', { valueAsNumber: true })}
          label="Discount (%)"
          type="number"
          inputMode="decimal"
          min={0}
          max={100}
          step="any"
          hint="100 makes every meal free"
          error={form.errorOf('discountPercentage')}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Switch
          label="Active"
          checked={form.watch('isActive') ?? true}
          onChange={(on) => form.setValue('isActive', on)}
        />
        <Button type="submit" icon="plus" busy={form.busy} busyLabel="Creating..." className="max-sm:w-full">
          Create Discount Code
        </Button>
      </div>
    </form>
  )
}
