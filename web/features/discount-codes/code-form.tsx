import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, useEffect } from 'react'
import { useController } from 'react-hook-form'
import * as z from 'zod/mini'
import type { searchUsers } from '#contracts/accounts'
import type { ReplyOf } from '#contracts/endpoint'
import { createDiscountCode, maxSponsor } from '#contracts/order-reports'
import { adminToast, notifyFailure } from '../../lib/toast'
import { usePaused } from '../../lib/use-time'
import { Switch } from '../../ui/checkbox'
import { controlClass, Field } from '../../ui/field'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { Select } from '../../ui/select'
import { addCode, minSearchLength, usersQuery } from './code-list'

const blank = {
  code: '',
  userId: 0,
  studentId: 0,
  sponsor: '',
  discountPercentage: 10,
  isActive: true,
}
const formSchema = z.extend(createDiscountCode.body, { studentId: z.number(), sponsor: z.string() })

/** 10 percent and active by default. */
export const CodeForm = () => {
  const [user, setUser] = useState<PickedUser | null>(null)
  const adding = useMutation(addCode)
  return (
    <Form
      schema={formSchema}
      defaultValues={blank}
      onSave={async ({ studentId, sponsor, ...body }, form) => {
        const ofChild = { ...(studentId > 0 && { studentId }), ...(sponsor !== '' && { sponsor }) }
        await adding.mutateAsync({ body: { ...body, ...ofChild } })
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
        <FormField name="discountPercentage" label="Discount (%)" number hint="100 makes every meal free" />
        {user?.children.length ? <ChildField items={user.children} /> : null}
        <FormField name="sponsor" label="Sponsor" maxLength={maxSponsor} hint="Who pays; optional" />
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
  const child = useController<typeof blank, 'studentId'>({ name: 'studentId' }).field
  const pick = (picked: PickedUser | null) => {
    onPick(picked)
    child.onChange(0)
    field.onChange(picked?.id ?? 0)
  }
  return <UserPicker picked={user} onPick={pick} error={fieldState.error?.message} />
}

const ChildField = ({ items }: { items: PickedUser['children'] }) => {
  const { field } = useController<typeof blank, 'studentId'>({ name: 'studentId' })
  return (
    <Select
      label="Child"
      hint="A code of one child goes with the child"
      value={String(field.value)}
      options={[
        { value: '0', label: 'All of this account' },
        ...items.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={(event) => field.onChange(Number(event.target.value))}
    />
  )
}

const ActiveSwitch = () => {
  const { field } = useController<typeof blank, 'isActive'>({ name: 'isActive' })
  return <Switch label="Active" checked={field.value} onChange={field.onChange} />
}

export type PickedUser = ReplyOf<typeof searchUsers>['users'][number]

type UserPickerProps = {
  picked: PickedUser | null
  onPick: (user: PickedUser | null) => void
  error?: string
}

const debounceMs = 300

/** Searches after 300 ms. */
export const UserPicker = ({ picked, onPick, error }: UserPickerProps) => {
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim(), debounceMs)
  const found = useQuery(usersQuery(text))
  useEffect(() => {
    if (found.error) notifyFailure(found.error, 'Failed to search users')
  }, [found.error])
  return (
    <Combobox value={picked} onChange={onPick} by="id">
      <Field label="User" hint="Type at least 2 letters of the username or name" error={error}>
        {(control) => (
          <div className="relative">
            <ComboboxInput
              {...control}
              autoComplete="off"
              displayValue={(user: PickedUser | null) => user?.username ?? ''}
              onChange={(event) => setTyped(event.target.value)}
              className={controlClass}
            />
            {text.length >= minSearchLength && found.data ? (
              <ComboboxOptions
                modal={false}
                className="absolute inset-x-0 top-full z-10 mt-1 max-h-60 overflow-y-auto rounded-md border border-line bg-surface py-1 shadow-raised"
              >
                {found.data.users.map((user) => (
                  <ComboboxOption
                    key={user.id}
                    value={user}
                    className="flex min-h-11 cursor-pointer items-center px-3 data-focus:bg-brand-50"
                  >
                    {user.username}
                  </ComboboxOption>
                ))}
                {found.data.users.length === 0 ? (
                  <p className="px-3 py-2 text-sm text-muted">No results found</p>
                ) : null}
              </ComboboxOptions>
            ) : null}
          </div>
        )}
      </Field>
    </Combobox>
  )
}
