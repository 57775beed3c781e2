import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { createDiscountCode } from '#contracts/discount-codes'
import { adminToast } from '../../lib/toast'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Switch } from '../../ui/switch'
import { addCode } from './api'
import { type PickedUser, UserPicker } from './user-picker'

const blank = { code: '', userId: 0, discountPercentage: 10, isActive: true }

/** A new code of one user, 10 percent and active unless said otherwise. */
export const CodeForm = () => {
  const [user, setUser] = useState<PickedUser | null>(null)
  const adding = useMutation(addCode)
  return (
    <Form
      schema={createDiscountCode.body}
      defaultValues={blank}
      onSave={async (body, form) => {
        await adding.mutateAsync({ body })
        adminToast({ title: 'Discount code created successfully' })
        setUser(null)
        form.reset(blank)
      }}
      failed="Failed to create discount code"
      className="flex flex-col gap-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <FormField name="code" label="Code" autoComplete="off" maxLength={40} />
        <UserField user={user} onPick={setUser} />
        <FormField
          name="discountPercentage"
          label="Discount (%)"
          type="number"
          inputMode="decimal"
          min={0}
          max={100}
          step="any"
          hint="100 makes every meal free"
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <ActiveSwitch />
        <SubmitButton icon="plus" busyLabel="Creating..." className="max-sm:w-full">
          Create Discount Code
        </SubmitButton>
      </div>
    </Form>
  )
}

type UserFieldProps = { user: PickedUser | null; onPick: (user: PickedUser | null) => void }

const UserField = ({ user, onPick }: UserFieldProps) => {
  const { field, fieldState } = useController<typeof blank, 'userId'>({ name: 'userId' })
  const pick = (picked: PickedUser | null) => {
    onPick(picked)
    field.onChange(picked?.id ?? 0)
  }
  return <UserPicker picked={user} onPick={pick} error={fieldState.error?.message} />
}

const ActiveSwitch = () => {
  const { field } = useController<typeof blank, 'isActive'>({ name: 'isActive' })
  return <Switch label="Active" checked={field.value} onChange={field.onChange} />
}
