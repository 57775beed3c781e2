import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#contracts/identity'
import { confirmPhone as confirmEndpoint, type ShownMessages } from '#contracts/messages'
import { CallError, messageOf } from '../../../../lib/call'
import { counted } from '../../../../lib/format'
import { schoolClock } from '../../../../lib/school-moment'
import { toast } from '../../../../lib/toast'
import { Badge } from '../../../../ui/badge'
import { Button } from '../../../../ui/button'
import { Form, FormField, SubmitButton } from '../../../../ui/form'
import { Notice } from '../../../../ui/notice'
import { readUserAgain } from '../../current-user'
import { askForCode, confirmPhone } from './api'

type About = { user: User; shown: ShownMessages }

/** The phone that SMS go to, and how its owner proves it by the six digits that are sent to it. */
export const PhoneVerification = ({ user: { phone }, shown }: About) => {
  const [refused, setRefused] = useState<string | null>(null)
  const asking = useMutation({
    ...askForCode,
    onMutate: () => setRefused(null),
    onError: (error) => setRefused(refusalInWords(error)),
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
      failed={(error) => onRefused(isAtTheField(error) ? null : refusalInWords(error))}
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

/** The server's words; where it was asked too often, from when on it can be asked again. */
const refusalInWords = (error: unknown): string => {
  const seconds = error instanceof CallError ? error.reply?.retryAfter : undefined
  return typeof seconds === 'number'
    ? `That was too often. You can try again in ${counted(Math.ceil(seconds / 60), 'minute')}.`
    : messageOf(error, 'Please try again.', 'No answer came. Please check your connection and try again.')
}
