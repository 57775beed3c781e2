import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import { sessionKey } from '../lib/endpoint-query'
import { Button } from './button'
import { Dialog } from './dialog'
import { TextField } from './field'

export type PasswordQuestionProps = {
  /** Of the password given before. */
  error: string | undefined
  onPassword: (password: string) => Promise<void>
  onClose: () => void
}

/** Has a field for the user name: browsers that keep passwords fill in one, and would choose another field of the page. */
export const PasswordQuestion = ({ error, onPassword, onClose }: PasswordQuestionProps) => {
  const id = useId()
  const username = useQueryClient().getQueryData<{ username: string }>(sessionKey)?.username
  const [password, setPassword] = useState('')
  const [isSaving, setSaving] = useState(false)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    setSaving(true)
    await onPassword(password)
    setSaving(false)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your Password, Please"
      description="This change needs your password. Nothing is saved yet."
      actions={
        <>
          <Button variant="secondary" disabled={isSaving} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isSaving} busyLabel="Saving...">
            Save
          </Button>
        </>
      }
    >
      <form id={id} method="post" onSubmit={save} className="flex flex-col gap-4">
        <TextField label="Username" autoComplete="username" readOnly value={username ?? ''} />
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          data-autofocus
          required
          value={password}
          error={error}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
