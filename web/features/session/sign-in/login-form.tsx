import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { login } from '#contracts/identity'
import { CallError, messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Checkbox } from '../../../ui/checkbox'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { isOwnDevice, setOwnDevice, signIn } from '../api'

type LoginFormProps = {
  onForgot: () => void
  /** Filled in. */
  username?: string
  /** Of a guardian's mailed invitation. */
  invite?: string | undefined
}

/** Success shows the home in its place. */
export const LoginForm = ({ onForgot, username = '', invite }: LoginFormProps) => {
  const [needsCode, setNeedsCode] = useState(false)
  const [own, setOwn] = useState(isOwnDevice)
  const signingIn = useMutation({
    ...signIn,
    onSuccess: (...outcome) => {
      toast({ title: 'Logged in successfully' })
      signIn.onSuccess?.(...outcome)
    },
  })
  return (
    <Form
      schema={login.body}
      defaultValues={{ username, password: '', ...(invite && { invite }) }}
      onSave={(typed) => {
        setOwnDevice(own)
        return signingIn.mutateAsync(typed)
      }}
      failed={(error) => {
        if (error instanceof CallError && error.code === 'second_factor_required') setNeedsCode(true)
        else
          toast({ title: 'Error', text: messageOf(error, 'Login failed', 'Failed to login'), kind: 'error' })
      }}
      className="flex flex-col gap-4"
    >
      <FormField
        name="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <FormField name="password" label="Password" type="password" autoComplete="current-password" />
      {needsCode ? <CodeField /> : null}
      <Checkbox
        label="Keep my cart on this device after I log out"
        checked={own}
        onChange={(event) => setOwn(event.target.checked)}
      />
      <button
        type="button"
        onClick={onForgot}
        className="min-h-9 self-start text-sm font-semibold text-brand-700 underline"
      >
        Forgot your password?
      </button>
      <Unanswered error={signingIn.error} />
      <SubmitButton>Login to Portal</SubmitButton>
      <p className="text-sm text-muted">
        Lost your username? Please contact the tuckshop contact person at the school.
      </p>
    </Form>
  )
}

/** Shown after the right password, with the focus. */
const CodeField = () => {
  const { setFocus } = useFormContext()
  useEffect(() => setFocus('code'), [setFocus])
  return (
    <FormField
      name="code"
      label="Code of Your Authenticator App"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={40}
      hint="A recovery code opens your account too."
    />
  )
}

/** Shown when no answer came, until the next sending. */
export const Unanswered = ({ error, children }: { error: Error | null; children?: ReactNode }) =>
  error && !(error instanceof CallError) ? (
    <p role="alert" className="rounded-md bg-warning-100 px-3 py-2 text-sm text-warning-700">
      No answer came. Please check your connection and try again: what you typed is still here. {children}
    </p>
  ) : null
