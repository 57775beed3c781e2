import { type QueryClient, useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type User } from '#contracts/identity'
import { acceptPrivacy } from '#contracts/privacy'
import { CallError } from '../../lib/call'
import { endpointMutation } from '../../lib/endpoint-query'
import { lazyComponent } from '../../lib/lazy'
import { paths } from '../../lib/paths'
import { notifyFailure } from '../../lib/toast'
import { privacyQuery } from '../../queries/identity'
import { readUserAgain } from '../../queries/session'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'

const ChangedNotice = lazyComponent(() => import('./changed-notice').then((m) => m.ChangedNotice))

const refreshNotice = (client: QueryClient) =>
  Promise.all([readUserAgain(client), client.invalidateQueries({ queryKey: privacyQuery.queryKey })])

/** A later notice is shown whole; an account that never saw one is pointed to it. Closed without accepting, it comes back at the next sign-in. */
export const AcceptPrivacy = ({ user: { privacy } }: { user: User }) => {
  const [isChanged, setChanged] = useState(privacy.accepted !== null)
  const accepting = useMutation({
    ...endpointMutation(acceptPrivacy),
    onSuccess: (_reply, _input, _before, { client }) => readUserAgain(client),
    onError: (error, _input, _before, { client }) => {
      notifyFailure(error, 'Please try again.')
      if (!(error instanceof CallError && error.code === 'privacy_changed')) return
      setChanged(true)
      void refreshNotice(client)
    },
  })
  const accept = (
    <Button
      busy={accepting.isPending}
      onClick={() => accepting.mutate({ body: { version: privacy.current } })}
    >
      Accept
    </Button>
  )
  if (!isChanged)
    return (
      <Notice>
        <p>
          Please read what we keep about your family, and for how long:{' '}
          <a href={paths.privacy} target="_blank" rel="noopener" className="font-semibold underline">
            Privacy Notice
          </a>
        </p>
        {accept}
      </Notice>
    )
  return (
    <Suspense>
      <ChangedNotice accept={accept} />
    </Suspense>
  )
}
