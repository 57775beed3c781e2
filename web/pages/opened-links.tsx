import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { lazyComponent } from '../lib/lazy'
import { portalQuery, useUser } from '../queries/session'
import { PageTitle } from '../ui/page-title'

const Invitation = lazyComponent(() => import('../features/guardians/invitation').then((m) => m.Invitation))
const ConfirmEmail = lazyComponent(() =>
  import('../features/session/confirm-email').then((m) => m.ConfirmEmail),
)
const StopReminders = lazyComponent(() =>
  import('../features/messages/stop-reminders').then((m) => m.StopReminders),
)

const PrivacyNotice = lazyComponent(() =>
  import('../features/privacy/privacy-notice').then((m) => m.PrivacyNotice),
)

/** Signs in first. */
export const GuardianInvitePage = () => {
  const { token = '' } = useParams()
  return (
    <LinkPage title="Invitation to be a guardian">
      <Invitation key={token} token={token} />
    </LinkPage>
  )
}

/** Signs in first. */
export const VerifyEmailPage = () => {
  const token = useSearchParams()[0].get('token') ?? ''
  const user = useUser()
  return (
    <LinkPage title="Confirm your email address">
      <ConfirmEmail token={token} user={user} />
    </LinkPage>
  )
}

/** Public. */
export const StopRemindersPage = () => {
  const { token = '' } = useParams()
  const school = useQuery(portalQuery).data?.schoolName ?? 'The school'
  return (
    <LinkPage title="Reminders">
      <StopReminders key={token} token={token} school={school} />
    </LinkPage>
  )
}

/** Public. */
export const PrivacyPage = () => (
  <LinkPage title="Privacy Notice">
    <h1 className="font-display text-2xl font-semibold">Privacy Notice</h1>
    <PrivacyNotice />
  </LinkPage>
)

const LinkPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-3 sm:p-6">
    <PageTitle>{title}</PageTitle>
    {children}
  </main>
)
