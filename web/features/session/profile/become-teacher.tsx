import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listStudents } from '#contracts/identity'
import { messageOf } from '../../../lib/call'
import { endpointQuery } from '../../../lib/endpoint-query'
import { toast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { becomeTeacher } from '../api'

/** Turns the account into a staff account; its owner must log in again afterwards. */
export const BecomeTeacher = () => {
  const [asked, setAsked] = useState(false)
  const children = useChildren()
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
        You will be logged out and must log in again. A teacher account orders for its owner only.{' '}
        {whatIsLost(children)}
      </ConfirmDialog>
    </div>
  )
}

/** The names of the children; null while nobody knows. */
const useChildren = (): string[] | null => {
  const students = useQuery(endpointQuery('identity', listStudents, {})).data
  return students?.filter(({ grade }) => grade !== 'teacher').map(({ name }) => name) ?? null
}

const whatIsLost = (children: readonly string[] | null): string => {
  if (children?.length === 0) return 'This is final.'
  const names = children
    ? new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(children)
    : 'your children'
  return `You can no longer order for ${names} with it. This is final. To order for yourself beside your children, keep this account and choose “I work at this school” under Students.`
}
