import { useMutation, useQuery } from '@tanstack/react-query'
import type { User } from '#contracts/identity'
import type { ShownMessages, UserMessages } from '#contracts/messages'
import { messageOf } from '../../../../lib/call'
import { toast } from '../../../../lib/toast'
import { Breakable } from '../../../../ui/breakable'
import { Notice } from '../../../../ui/notice'
import { QueryResult } from '../../../../ui/query-result'
import { Segmented } from '../../../../ui/segmented'
import { Switch } from '../../../../ui/switch'
import { messagesQuery, saveMessages } from './api'
import { PhoneVerification } from './phone-verification'

export const messagesId = 'messages'

type About = { user: User; shown: ShownMessages }

/** How the school writes to whoever is signed in, the phone that SMS go to, and whether it reminds. */
export const Messages = ({ user }: { user: User }) => (
  <section aria-labelledby={messagesId} className="mt-5 flex flex-col gap-4 border-t border-line pt-4">
    <h3 id={messagesId} tabIndex={-1} className="font-semibold">
      Messages
    </h3>
    <QueryResult query={useQuery(messagesQuery)} failure="Failed to fetch how the school writes to you">
      {(shown) => (
        <>
          <WhereTo user={user} shown={shown} />
          {shown.smsOffered ? <PhoneVerification user={user} shown={shown} /> : null}
          <Wishes user={user} shown={shown} />
        </>
      )}
    </QueryResult>
  </section>
)

const WhereTo = ({ user, shown: { goesTo, smsOffered } }: About) => {
  if (goesTo.length === 0)
    return (
      <Notice tone="warning" title="No message reaches you">
        <p>{`Add an email address above${smsOffered ? ', or verify your phone' : ''}, so that the school can tell you when a day is closed or a payment fails.`}</p>
      </Notice>
    )
  const places = goesTo.map((channel) =>
    channel === 'mail' ? `by email to ${user.email}` : `by SMS to ${user.phone}`,
  )
  return (
    <p className="text-sm wrap-anywhere text-muted">
      <Breakable
        text={`The school writes to you ${places.join(' and ')}: what you order and pay, what goes back to you, and days that are closed.`}
      />
    </p>
  )
}

/** Each choice is saved at once. */
const Wishes = ({ user, shown }: About) => {
  const saving = useMutation({
    ...saveMessages,
    onSuccess: () => toast({ title: 'Messages saved' }),
    onError: (error) =>
      toast({ title: 'Not Saved', text: messageOf(error, 'Please try again.'), kind: 'error' }),
  })
  // What was chosen stands at once; it goes back where it could not be saved.
  const { channel, reminders } = saving.isPending ? saving.variables.body : shown
  const save = (wish: Partial<UserMessages>) => saving.mutate({ body: { channel, reminders, ...wish } })
  return (
    <>
      {shown.smsOffered && shown.phoneVerified && user.email !== null ? (
        <Segmented
          label="How shall the school write to you?"
          segments={channels}
          value={channel}
          onChange={(next) => save({ channel: next })}
        />
      ) : null}
      {shown.remindersOffered ? (
        <Switch
          label="Remind me on Thursday if no lunch is ordered for next week"
          checked={reminders}
          onChange={(next) => save({ reminders: next })}
        />
      ) : null}
    </>
  )
}

const channels = [
  { value: 'mail', label: 'Email' },
  { value: 'sms', label: 'SMS' },
  { value: 'both', label: 'Email and SMS' },
] as const
