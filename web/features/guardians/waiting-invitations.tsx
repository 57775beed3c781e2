import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WaitingInvite } from '#contracts/accounts'
import { dayAndMonth } from '../../lib/format'
import { schoolDate } from '../../lib/school-moment'
import { notifyFailure, toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/query-result'
import { accept, waitingQuery } from './api'

/** Invitations to this account, or `otherwise` where none waits. */
export const WaitingInvitations = ({ otherwise }: { otherwise: ReactNode }) => {
  const waiting = useQuery(waitingQuery).data ?? []
  if (waiting.length === 0) return otherwise
  return waiting.map((invite) => <Waiting key={invite.id} invite={invite} />)
}

const Waiting = ({ invite: { id, children, invitedBy, expiresAt } }: { invite: WaitingInvite }) => {
  const names = new Intl.ListFormat('en').format(children)
  const accepting = useMutation({
    ...accept,
    onSuccess: async (...done) => {
      toast({ title: `You are a guardian of ${names} now` })
      await accept.onSuccess?.(...done)
    },
    onError: (error) => notifyFailure(error, 'This invitation cannot be accepted'),
  })
  return (
    <EmptyState
      icon="people"
      title={`${invitedBy.name} asks you to be a guardian of ${names}`}
      action={
        <Button
          busy={accepting.isPending}
          busyLabel="Accepting…"
          onClick={() => accepting.mutate({ params: { idOrCode: id } })}
        >
          Accept
        </Button>
      }
    >
      You can then order lunches for {names}, and pay for what you order. The invitation is open until{' '}
      {dayAndMonth(schoolDate(expiresAt))}.
    </EmptyState>
  )
}
