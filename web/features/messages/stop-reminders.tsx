import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { stopReminders } from '#contracts/messages'
import { CallError, messageOf } from '../../lib/call'
import { endpointMutation } from '../../lib/endpoint-query'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'

export const StopReminders = ({ token, school }: { token: string; school: string }) => {
  const stopping = useMutation(stop)
  const isUnknown = stopping.error instanceof CallError && stopping.error.code === 'stop_link_unknown'
  return (
    <Card>
      <CardHeading title="Reminders" level={1} />
      <CardBody>
        {stopping.isSuccess ? (
          <output className="flex flex-col items-start gap-4">
            <p className="text-lg">You will get no more reminders.</p>
            <p className="text-muted">You can switch them on again under Messages in your profile.</p>
            <ToPortal />
          </output>
        ) : (
          <div className="flex flex-col items-start gap-4">
            <p className="text-lg wrap-anywhere">
              {school} reminds you on Thursday if no lunch is ordered for next week.
            </p>
            {stopping.error ? (
              <Notice tone="danger" title="Reminders are not stopped">
                <p>
                  {messageOf(
                    stopping.error,
                    'Please try again.',
                    'No answer came. Please check your connection and try again.',
                  )}
                </p>
              </Notice>
            ) : null}
            {isUnknown ? (
              <ToPortal />
            ) : (
              <Button
                busy={stopping.isPending}
                busyLabel="Stopping…"
                onClick={() => stopping.mutate({ body: { token } })}
              >
                Stop Reminders
              </Button>
            )}
          </div>
        )}
      </CardBody>
    </Card>
  )
}

const ToPortal = () => (
  <Link to={paths.home} className="inline-flex min-h-11 items-center font-semibold text-brand-700 underline">
    To the portal
  </Link>
)

const stop = endpointMutation(stopReminders, 'identity')
