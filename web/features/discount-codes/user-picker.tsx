import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { notifyFailure } from '../../lib/notify-outcome'
import { controlClass, Field } from '../../ui/field'
import { shortestSearch, usersQuery } from './api'

export type PickedUser = { id: number; username: string }

type UserPickerProps = {
  picked: PickedUser | null
  onPick: (user: PickedUser | null) => void
  error?: string
}

const debounceMs = 300

/** Whose code it is: typed, found after a pause of 300 ms, chosen from the list. */
export const UserPicker = ({ picked, onPick, error }: UserPickerProps) => {
  const [typed, setTyped] = useState('')
  const text = useDebounced(typed.trim(), debounceMs)
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
            {text.length >= shortestSearch && found.data ? (
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

/** The text once nothing was typed for `debounceMs` milliseconds. */
export const useDebounced = (text: string, debounceMs: number): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text, debounceMs])
  return settled
}
