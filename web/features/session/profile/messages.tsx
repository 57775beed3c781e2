import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#contracts/identity'
import {
  type ShownMessages,
  type UserMessages,
  confirmPhone as confirmEndpoint,
  confirmPhone as confirm,
  getUserMessages,
  saveUserMessages,
  verifyPhone,
} from '#contracts/messages'
import { messageOf, CallError } from '../../../lib/call'
import { endpointMutation, endpointQuery } from '../../../lib/endpoint-query'
import { counted } from '../../../lib/format'
import { schoolClock } from '../../../lib/school-moment'
import { toast } from '../../../lib/toast'
import { readUserAgain } from '../../../queries/session'
import { Breakable, Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Switch } from '../../../ui/checkbox'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { Notice } from '../../../ui/notice'
import { QueryResult } from '../../../ui/query-result'
import { Segmented } from '../../../ui/radio-cards'

export const messagesId = 'messages'

type About = { user: User; shown: ShownMessages }

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

/** Each choice saves at once. */
const Wishes = ({ user, shown }: About) => {
  const saving = useMutation({
    ...saveMessages,
    onSuccess: () => toast({ title: 'Messages saved' }),
    onError: (error) =>
      toast({ title: 'Not Saved', text: messageOf(error, 'Please try again.'), kind: 'error' }),
  })
  // Optimistic.
  const { channel, reminders } = saving.isPending ? saving.variables.body : shown
  const save = (wish: Partial<UserMessages>) =>
    saving.mutate({ body: { channel, reminders, ...wish, version: shown.version } })
  return (
    <>
      {shown.smsOffered && shown.phoneVerified && user.email !== null ? (
        <Segmented
          label="How should the school write to you?"
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

type PhoneVerificationProps = { user: User; shown: ShownMessages }

/** Six digits by SMS. */
const PhoneVerification = ({ user: { phone }, shown }: PhoneVerificationProps) => {
  const [refused, setRefused] = useState<string | null>(null)
  const asking = useMutation({
    ...askForCode,
    onMutate: () => setRefused(null),
    onError: (error) => setRefused(refusalText(error)),
  })
  if (phone === null)
    return (
      <p className="text-sm text-muted">To get SMS, save your mobile number above, then verify it here.</p>
    )
  if (shown.phoneVerified)
    return (
      <p className="flex flex-wrap items-center gap-2">
        {phone} <Badge tone="brand">Verified</Badge>
      </p>
    )
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <p>
        <strong className="font-semibold">{phone}</strong> is not verified yet. We send six digits to it, and
        you enter them here.
      </p>
      {refused ? (
        <Notice tone="danger">
          <p>{refused}</p>
        </Notice>
      ) : null}
      {shown.codeUntil ? (
        <CodeForm key={shown.codeUntil} until={shown.codeUntil} onRefused={setRefused} />
      ) : null}
      <Button
        variant={shown.codeUntil ? 'ghost' : 'secondary'}
        className="self-start"
        busy={asking.isPending}
        busyLabel="Sending…"
        onClick={() => asking.mutate({})}
      >
        {shown.codeUntil ? 'Send Another Code' : 'Send a Code'}
      </Button>
    </div>
  )
}

type CodeFormProps = { until: string; onRefused: (words: string | null) => void }

const CodeForm = ({ until, onRefused }: CodeFormProps) => {
  const confirming = useMutation(confirmPhone)
  const client = useQueryClient()
  return (
    <Form
      schema={confirmEndpoint.body}
      defaultValues={{ code: '' }}
      onSave={async (body) => {
        onRefused(null)
        await confirming.mutateAsync({ body })
        toast({ title: 'Your phone is verified' })
        await readUserAgain(client)
      }}
      failed={(error) => onRefused(isAtTheField(error) ? null : refusalText(error))}
      className="flex flex-col gap-4"
    >
      <FormField
        name="code"
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        hint={`The six digits of our SMS. They count until ${schoolClock(until)}.`}
      />
      <SubmitButton busyLabel="Verifying…" className="self-start">
        Verify Phone
      </SubmitButton>
    </Form>
  )
}

const isAtTheField = (error: unknown) => error instanceof CallError && 'code' in error.fields

/** With the wait after too many tries. */
const refusalText = (error: unknown): string => {
  const seconds = error instanceof CallError ? error.reply?.retryAfter : undefined
  return typeof seconds === 'number'
    ? `That was too often. You can try again in ${counted(Math.ceil(seconds / 60), 'minute')}.`
    : messageOf(error, 'Please try again.', 'No answer came. Please check your connection and try again.')
}

/** Refetched whenever shown. */
const messagesQuery = { ...endpointQuery('identity', getUserMessages, {}), staleTime: 0 }

const saveMessages = endpointMutation(saveUserMessages, 'identity')
const askForCode = endpointMutation(verifyPhone, 'identity')
const confirmPhone = endpointMutation(confirm, 'identity')
