import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { forgotPassword } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { privacyQuery } from '../../../queries/identity'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Dialog } from '../../../ui/dialog'
import { TextField } from '../../../ui/field'
import { requestReset } from '../api'

const sentText = 'If an account with that username/email exists, a temporary password has been sent.'

/** Stays open when sending failed. */
export const ForgotDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [identifier, setIdentifier] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(forgotPassword.body), defaultValues: { identifier: '' } })
  const save = form.handleSubmit((values) => setIdentifier(values.identifier))
  const sending = useMutation({
    ...requestReset,
    onSuccess: ({ message }) => {
      toast({ title: 'Password Reset Sent', text: message || sentText })
      form.reset()
      onClose()
    },
    onError: (error) => toast({ title: 'Error', text: failureText(error), kind: 'error' }),
    onSettled: () => setIdentifier(null),
  })
  const { errors } = form.formState
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Reset Password"
      actions={
        <>
          <Button variant="secondary" onClick={onClose} disabled={sending.isPending}>
            Cancel
          </Button>
          <Button onClick={() => void save()} busy={sending.isPending} busyLabel="Sending...">
            Send Reset Instructions
          </Button>
        </>
      }
    >
      <form onSubmit={save} noValidate className="flex flex-col gap-4">
        <p className="text-muted">
          We generate a temporary password and send it to your email address, if you gave one. Without one it
          comes by SMS to the phone you verified, where the school sends SMS. Log in with it and change the
          password at once.
        </p>
        <p className="text-muted">
          <strong className="text-ink">Neither email nor a verified phone?</strong> <WhomToAsk /> They give
          you a new password.
        </p>
        <TextField
          label="Username or Email Address"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.identifier?.message}
          {...form.register('identifier')}
        />
      </form>
      <ConfirmDialog
        open={identifier !== null}
        title="Confirm Password Reset"
        confirm="Yes, Send Reset"
        busy={sending.isPending}
        busyLabel="Sending..."
        onConfirm={() => identifier !== null && sending.mutate(identifier)}
        onClose={() => setIdentifier(null)}
      >
        Your current password stays active until you log in with the temporary one.
      </ConfirmDialog>
    </Dialog>
  )
}

/** As the school has set it; its office where nothing is. */
const WhomToAsk = () => {
  const { supportEmail = '', whatsappNumber = '' } = useQuery(privacyQuery).data ?? {}
  const ways = [whatsappNumber && `WhatsApp ${whatsappNumber}`, supportEmail].filter(Boolean)
  return <>Ask the tuckshop or the school office{ways.length > 0 ? `: ${ways.join(' or ')}` : ''}.</>
}

const failureText = (error: unknown) =>
  messageOf(error, 'Failed to send password reset.', 'Network error. Please try again.')
