import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../lib/call'
import { toast } from '../../../lib/toast'
import { Breakable } from '../../../ui/breakable'
import { Button } from '../../../ui/button'
import { sendLinkAgain } from '../api'

/** Says that an address is not confirmed yet, and sends its link again. */
export const UnverifiedEmail = ({ email }: { email: string }) => {
  const sending = useMutation(sendLinkAgain)
  const send = () =>
    sending.mutate(
      {},
      {
        onSuccess: () =>
          toast({ title: 'Link sent', text: `Please open the link in the email to ${email}.` }),
        onError: (error) =>
          toast({ title: 'Link not sent', text: messageOf(error, 'Please try again.'), kind: 'error' }),
      },
    )
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <p className="text-muted">
        <Breakable text={email} /> is not confirmed yet.
      </p>
      <Button variant="secondary" size="sm" busy={sending.isPending} onClick={send}>
        Send the Link Again
      </Button>
    </div>
  )
}
