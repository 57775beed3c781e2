import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { safeParse } from 'zod/mini'
import { login } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { TextField } from '../../../ui/text-field'
import { signIn } from '../api'
import { Unanswered } from './unanswered'

type Messages = Partial<Record<string, string>>

/**
 * Username and password; whoever signs in sees their home in its place.
 * The one form without the form library, which would be an eighth of the first load of the portal.
 */
export const LoginForm = ({ onForgot }: { onForgot: () => void }) => {
  const [errors, setErrors] = useState<Messages>({})
  const signingIn = useMutation({
    ...signIn,
    onSuccess: (...outcome) => {
      toast({ title: 'Logged in successfully' })
      signIn.onSuccess?.(...outcome)
    },
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'Login failed', 'Failed to login'), kind: 'error' }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = safeParse(login.body, Object.fromEntries(new FormData(form)))
    const messages: Messages = {}
    for (const issue of typed.error?.issues ?? []) messages[String(issue.path[0])] ??= issue.message
    setErrors(messages)
    if (typed.success) signingIn.mutate(typed.data)
    else form.querySelector<HTMLInputElement>(`[name="${Object.keys(messages)[0]}"]`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <button
        type="button"
        onClick={onForgot}
        className="min-h-9 self-start text-sm font-semibold text-brand-700 underline"
      >
        Forgot your password?
      </button>
      <Unanswered error={signingIn.error} />
      <Button type="submit" busy={signingIn.isPending}>
        Login to Portal
      </Button>
      <p className="text-sm text-muted">
        Lost your username? Please contact the tuckshop contact person at the school.
      </p>
    </form>
  )
}
