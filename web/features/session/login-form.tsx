import { useMutation } from '@tanstack/react-query'
import { login } from '#contracts/identity'
import { messageOf } from '../../lib/call'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { useSchemaForm } from '../../ui/form'
import { TextField } from '../../ui/text-field'
import { signIn } from './api'

/** Username and password; whoever signs in sees their home in its place. */
export const LoginForm = ({ onForgot }: { onForgot: () => void }) => {
  const signingIn = useMutation(signIn)
  const form = useSchemaForm({
    schema: login.body,
    defaultValues: { username: '', password: '' },
    onSubmit: async (values) => {
      await signingIn.mutateAsync(values)
      toast({ title: 'Logged in successfully' })
    },
    onFailure: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'Login failed', 'Failed to login'), kind: 'error' }),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={form.errorOf('username')}
        {...form.register('username')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={form.errorOf('password')}
        {...form.register('password')}
      />
      <button
        type="button"
        onClick={onForgot}
        className="min-h-9 self-start text-sm font-semibold text-brand-700 underline"
      >
        Forgot your password?
      </button>
      <Button type="submit" busy={form.busy}>
        Login to Portal
      </Button>
      <p className="text-sm text-muted">
        Lost your username? Please contact the tuckshop contact person at the school.
      </p>
    </form>
  )
}
