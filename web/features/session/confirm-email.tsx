import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { CallError, messageOf } from '../../lib/call'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { confirmEmail } from './api'

const outcomes = new Map([
  ['verification_invalid', 'invalid'],
  ['verification_expired', 'expired'],
  ['verification_used', 'used'],
  ['verification_of_another', 'other'],
])

/** Looking at the page changes nothing. */
export const ConfirmEmail = ({ token, user }: { token: string; user: User }) => {
  const navigate = useNavigate()
  const confirming = useMutation({
    ...confirmEmail,
    onSuccess: async (...done) => {
      await confirmEmail.onSuccess?.(...done)
      await navigate('/?emailVerified=success', { replace: true })
    },
    onError: async (error) => {
      const outcome = error instanceof CallError ? outcomes.get(error.code ?? '') : undefined
      if (outcome) await navigate(`/?emailVerified=error&message=${outcome}`, { replace: true })
    },
  })
  return (
    <Card>
      <CardHeading title="Confirm your email address" level={1} />
      <CardBody>
        <div className="flex flex-col items-start gap-4">
          <p className="text-lg wrap-anywhere">
            You are logged in as {user.username}.
            {user.email ? ` Its email address is ${user.email}.` : ' This account has no email address.'}
          </p>
          {confirming.error ? (
            <Notice tone="danger" title="Your email address is not confirmed yet">
              <p>
                {messageOf(
                  confirming.error,
                  'Please try again.',
                  'No answer came. Please check your connection and try again.',
                )}
              </p>
            </Notice>
          ) : null}
          {token === '' ? <p>This link is not complete. Please open it from the email itself.</p> : null}
          <div className="flex flex-wrap items-center gap-4">
            {token === '' ? null : (
              <Button
                busy={confirming.isPending}
                busyLabel="Confirming…"
                onClick={() => confirming.mutate({ body: { token } })}
              >
                Confirm Email Address
              </Button>
            )}
            <Link to={paths.home} className="font-semibold text-brand-700 underline">
              {token === '' ? 'Home' : 'Not now'}
            </Link>
          </div>
        </div>
      </CardBody>
    </Card>
  )
}
