import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { login } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { TextField } from '../../../ui/text-field'
import { signIn } from '../api'
import { Unanswered } from './unanswered'

/** Username and password; whoever signs in sees their home in its place. */
export const LoginForm = ({ onForgot }: { onForgot: () => void }) => {
  const form = useForm({ resolver: zodResolver(login.body), defaultValues: { username: '', password: '' } })
  const signingIn = useMutation({
    ...signIn,
    onSuccess: (...outcome) => {
      toast({ title: 'Logged in successfully' })
      signIn.onSuccess?.(...outcome)
    },
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'Login failed', 'Failed to login'), kind: 'error' }),
  })
  const { errors } = form.formState
  return (
    <form
      onSubmit={form.handleSubmit((typed) => signingIn.mutate(typed))}
      noValidate
      className="flex flex-col gap-4"
    >
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
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
