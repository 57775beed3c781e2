import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../lib/call'
import { dateAndTime } from '../../../lib/school-moment'
import { toast } from '../../../lib/toast'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { QueryResult } from '../../../ui/query-result'
import { leaveSession, sessionsQuery } from '../api'

/** Where the account is signed in, each with a way to end it. */
export const OpenSessions = () => {
  const sessions = useQuery(sessionsQuery)
  const leaving = useMutation({
    ...leaveSession,
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'The session could not be ended'), kind: 'error' }),
  })
  return (
    <section aria-labelledby="open-sessions" className="mt-5 border-t border-line pt-4">
      <h3 id="open-sessions" className="font-semibold">
        Where you are logged in
      </h3>
      <QueryResult query={sessions} failure="Failed to fetch where you are logged in">
        {(open) => (
          <ul className="divide-y divide-line">
            {open.map(({ id, current, device, lastUsedAt }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
                <span className="min-w-0 flex-1 basis-[10rem]">
                  <span className="block break-words">{device}</span>
                  <span className="block text-sm text-muted">Last used {dateAndTime(lastUsedAt)}</span>
                </span>
                {current ? (
                  <Badge tone="info">This device</Badge>
                ) : (
                  <Button
                    variant="secondary"
                    size="sm"
                    className="shrink-0 whitespace-nowrap"
                    aria-label={`Log out ${device}, last used ${dateAndTime(lastUsedAt)}`}
                    onClick={() => leaving.mutate({ params: { id } })}
                  >
                    Log out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </section>
  )
}
