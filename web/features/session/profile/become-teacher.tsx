import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { becomeTeacher } from '../api'

/** Turns the account into a staff account; its owner must log in again afterwards. */
export const BecomeTeacher = () => {
  const [asked, setAsked] = useState(false)
  const converting = useMutation({
    ...becomeTeacher,
    onSuccess: (...outcome) => {
      toast({
        title: 'Account Converted',
        text: 'Your account has been converted to a teacher account. Please log in again.',
      })
      becomeTeacher.onSuccess?.(...outcome)
    },
    onError: (error) => {
      setAsked(false)
      toast({
        title: 'Error',
        text: messageOf(error, 'Conversion failed', 'Failed to convert account'),
        kind: 'error',
      })
    },
  })
  return (
    <div className="mt-5 flex flex-col items-start gap-2 border-t border-line pt-4">
      <p className="text-sm text-muted">Do you work at the school and order lunch for yourself?</p>
      <Button variant="secondary" onClick={() => setAsked(true)}>
        Convert to Teacher Account
      </Button>
      <ConfirmDialog
        open={asked}
        title="Convert to a teacher account?"
        confirm="Convert Account"
        busy={converting.isPending}
        onConfirm={() => converting.mutate()}
        onClose={() => setAsked(false)}
      >
        You will be logged out and must log in again. A teacher account orders for its owner only.
      </ConfirmDialog>
    </div>
  )
}
