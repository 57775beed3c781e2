import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import type { ReplyOf } from '#contracts/endpoint'
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, type User } from '#contracts/identity'
import { toast } from '../../../lib/toast'
import { readUserAgain } from '../../../queries/session'
import { Button } from '../../../ui/button'
import { Form, FormField, SubmitButton } from '../../../ui/form'
import { beginFactor, confirmFactor, endFactor, notifyNotSaved } from '../api'

/** By an authenticator app. */
export const SecondFactor = ({ user }: { user: User }) => {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="second-factor" className="mt-5 flex flex-col gap-3 border-t border-line pt-4">
      <h3 id="second-factor" className="font-semibold">
        Second factor
      </h3>
      <p className="text-sm text-muted">
        {user.secondFactor
          ? 'You log in with your password and a code of your authenticator app.'
          : 'With an authenticator app on your phone, a stolen password alone opens nothing.'}
      </p>
      {open ? (
        <SecondFactorSteps user={user} onDone={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setOpen(true)}>
          {user.secondFactor ? 'Remove Second Factor' : 'Set Up Second Factor'}
        </Button>
      )}
    </section>
  )
}

type StepsProps = { user: User; onDone?: () => void }

const SecondFactorSteps = ({ user, onDone }: StepsProps) =>
  user.secondFactor ? (
    <RemoveSecondFactor onDone={onDone} />
  ) : (
    <SetUpSecondFactor user={user} onDone={onDone} />
  )

/** Password, first code, then recovery codes, shown once. */
export const SetUpSecondFactor = ({ user, onDone }: StepsProps) => {
  const [begun, setBegun] = useState<ReplyOf<typeof beginSecondFactor> | null>(null)
  const confirming = useMutation(confirmFactor)
  const beginning = useMutation(beginFactor)
  const client = useQueryClient()
  if (confirming.data)
    return (
      <RecoveryCodes
        user={user}
        codes={confirming.data.recoveryCodes}
        onDone={() => readUserAgain(client).then(onDone)}
      />
    )
  if (!begun)
    return (
      <Form
        schema={beginSecondFactor.body}
        defaultValues={{ currentPassword: '' }}
        onSave={async (body) => setBegun(await beginning.mutateAsync({ body }))}
        failed={notifyNotSaved}
        className="flex flex-col gap-4"
      >
        <PasswordField />
        <SubmitButton>Continue</SubmitButton>
      </Form>
    )
  return (
    <Form
      key="code"
      schema={confirmSecondFactor.body}
      defaultValues={{ code: '' }}
      onSave={(body) => confirming.mutateAsync({ body })}
      failed={notifyNotSaved}
      className="flex flex-col gap-4"
    >
      <p>Scan this with your authenticator app, or type the key into it.</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(begun.otpauthUrl))}`}
        alt="QR code for the authenticator app"
        className="size-44 self-center"
      />
      <p className="text-center font-mono text-sm break-all">{begun.secret}</p>
      <CodeField />
      <SubmitButton>Turn On</SubmitButton>
    </Form>
  )
}

type RecoveryCodesProps = StepsProps & { codes: readonly string[] }

const RecoveryCodes = ({ user, codes, onDone }: RecoveryCodesProps) => (
  <div className="flex flex-col gap-3">
    <p>
      The second factor is on, {user.username}. Write these recovery codes down and keep them safe: each opens
      your account once when your phone is gone. They are not shown again.
    </p>
    <ul className="grid gap-1 rounded-lg border border-line p-3 font-mono text-sm">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Button onClick={onDone}>I Have Written Them Down</Button>
  </div>
)

const RemoveSecondFactor = ({ onDone }: Pick<StepsProps, 'onDone'>) => {
  const ending = useMutation(endFactor)
  return (
    <Form
      schema={endSecondFactor.body}
      defaultValues={{ currentPassword: '', code: '' }}
      onSave={async (body) => {
        await ending.mutateAsync({ body })
        toast({ title: 'Second factor removed' })
        onDone?.()
      }}
      failed={notifyNotSaved}
      className="flex flex-col gap-4"
    >
      <PasswordField />
      <CodeField />
      <SubmitButton variant="danger">Remove Second Factor</SubmitButton>
    </Form>
  )
}

const PasswordField = () => (
  <FormField name="currentPassword" label="Your Password" type="password" autoComplete="current-password" />
)

const CodeField = () => (
  <FormField
    name="code"
    label="Code of the App"
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={40}
  />
)
