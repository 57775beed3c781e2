import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useController, useForm } from 'react-hook-form'
import { createDiscountCode } from '#contracts/discount-codes'
import { showFieldErrors } from '../../lib/field-errors'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Switch } from '../../ui/switch'
import { TextField } from '../../ui/text-field'
import { addCode } from './api'
import { type PickedUser, UserPicker } from './user-picker'

const blank = { code: '', userId: 0, discountPercentage: 10, isActive: true }

/** A new code of one user, 10 percent and active unless said otherwise. */
export const CodeForm = () => {
  const [user, setUser] = useState<PickedUser | null>(null)
  const adding = useMutation(addCode)
  const form = useForm({ resolver: zodResolver(createDiscountCode.body), defaultValues: blank })
  const save = form.handleSubmit(async (typed) => {
    try {
      await adding.mutateAsync(typed)
      adminToast({ title: 'Discount code created successfully' })
      setUser(null)
      form.reset(blank)
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to create discount code')
    }
  })
  const { field } = useController({ control: form.control, name: 'userId' })
  const pick = (picked: PickedUser | null) => {
    setUser(picked)
    field.onChange(picked?.id ?? 0)
  }
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField
          {...form.register('code')}
          label="Code"
          autoComplete="off"
          maxLength={40}
          error={errors.code?.message}
        />
        <UserPicker picked={user} onPick={pick} error={errors.userId?.message} />
        <TextField
          {...form.register('discountPercentage', { valueAsNumber: true })}
          label="Discount (%)"
          type="number"
          inputMode="decimal"
          min={0}
          max={100}
          step="any"
          hint="100 makes every meal free"
          error={errors.discountPercentage?.message}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Controller
          control={form.control}
          name="isActive"
          render={({ field }) => (
            <Switch label="Active" checked={field.value ?? true} onChange={field.onChange} />
          )}
        />
        <Button
          type="submit"
          icon="plus"
          busy={isSubmitting}
          busyLabel="Creating..."
          className="max-sm:w-full"
        >
          Create Discount Code
        </Button>
      </div>
    </form>
  )
}
