import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { ShownInvite } from '#contracts/accounts'
import { messageOf } from '../../lib/call'
import { dayAndMonth } from '../../lib/format'
import { paths } from '../../lib/paths'
import { schoolDate } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { accept, inviteQuery } from './api'

/** Others see why it is not for them. */
export const Invitation = ({ token }: { token: string }) => {
  const query = useQuery(inviteQuery(token))
  const accepting = useMutation(accept)
  return (
    <Card>
      <CardHeading title={query.data ? headlineOf(query.data) : 'Invitation to be a guardian'} level={1} />
      <CardBody>
        {accepting.data ? (
          <Accepted names={namesOf(accepting.data.students)} />
        ) : (
          <QueryResult query={query} failure="This invitation cannot be accepted">
            {(invite) => (
              <Open
                invite={invite}
                busy={accepting.isPending}
                error={accepting.error}
                onAccept={() => accepting.mutate({ params: { idOrCode: token } })}
              />
            )}
          </QueryResult>
        )}
        {query.isError ? (
          <Link to={paths.home} className="mt-4 inline-block font-semibold text-brand-700 underline">
            Home
          </Link>
        ) : null}
      </CardBody>
    </Card>
  )
}

const namesOf = (children: readonly { name: string }[]) =>
  new Intl.ListFormat('en').format(children.map(({ name }) => name))

const headlineOf = ({ students, invitedBy }: ShownInvite) =>
  `${invitedBy.name} asks you to be a guardian of ${namesOf(students)}`

type OpenProps = { invite: ShownInvite; busy: boolean; error: unknown; onAccept: () => void }

const Open = ({ invite: { students, expiresAt }, busy, error, onAccept }: OpenProps) => (
  <div className="flex flex-col items-start gap-4">
    <p className="text-muted">
      You can order lunches for {namesOf(students)}, see and cancel them, and see and change allergies and
      diet. You pay for what you order. The invitation is open until {dayAndMonth(schoolDate(expiresAt))}.
    </p>
    {error ? (
      <Notice tone="danger" title="This invitation cannot be accepted">
        <p>{messageOf(error, 'Please try again.', 'Please check your connection and try again.')}</p>
      </Notice>
    ) : null}
    <div className="flex flex-wrap items-center gap-4">
      <Button busy={busy} busyLabel="Accepting…" onClick={onAccept}>
        Accept
      </Button>
      <Link to={paths.home} className="font-semibold text-brand-700 underline">
        Not now
      </Link>
    </div>
  </div>
)

const Accepted = ({ names }: { names: string }) => (
  <output className="flex flex-col items-start gap-4">
    <p className="text-lg wrap-anywhere">You are a guardian of {names} now.</p>
    <Link to={paths.home} className="btn btn-primary btn-md">
      Choose lunches
    </Link>
  </output>
)
