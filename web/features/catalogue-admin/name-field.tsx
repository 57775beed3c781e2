import { useEffect } from 'react'
import type { ChangeEvent } from 'react'
import { TextField } from '../../ui/text-field'
import { nameChange } from './name-lock'
import type { NameLock } from './name-lock'
import type { ItemFormState } from './use-item-form'

type NameFieldProps = { form: ItemFormState; lock: NameLock; savedName: string; onLocked: () => void }

/**
 * The name; once the item has orders a change is taken back and the lock's dialog asks instead, also a change made
 * before it was known that there are orders.
 */
export const NameField = ({ form, lock, savedName, onLocked }: NameFieldProps) => {
  const field = form.register('name')
  useEffect(() => {
    if (nameChange(lock, savedName, form.getValues('name')) === 'take') return
    form.setValue('name', savedName)
    form.clearErrors('name')
    onLocked()
  }, [lock, savedName, form, onLocked])
  const change = async (event: ChangeEvent<HTMLInputElement>) => {
    if (nameChange(lock, savedName, event.target.value) === 'take') return field.onChange(event)
    event.target.value = savedName
    onLocked()
  }
  return (
    <TextField
      {...field}
      onChange={change}
      label="Name"
      maxLength={120}
      autoComplete="off"
      error={form.errorOf('name')}
      hint={lock === 'locked' ? 'This item has orders, so its name is locked.' : undefined}
    />
  )
}
