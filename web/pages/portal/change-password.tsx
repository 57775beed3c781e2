import type { ReactNode } from 'react'
import type { User } from '#contracts/identity'
import { ChangePasswordForm } from '../../features/session/profile/change-password-form'
import { SetUpSecondFactor } from '../../features/session/profile/second-factor'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Logo, PageTitle } from '../../ui/page-title'
import { useLeaving } from '../use-leaving'

/** Required after a temporary password, and one that the school has set. */
export const ChangePassword = ({ user }: { user: User }) => {
  return (
    <OnlyScreen user={user} title="Change Password" heading="Choose a new password">
      <p className="mb-5 text-muted">
        You logged in with a temporary password, or one that the school has set, {user.username}. Please
        choose your own before you go on.
      </p>
      <ChangePasswordForm user={user} />
    </OnlyScreen>
  )
}

/** Required second factor. */
export const DemandedSecondFactor = ({ user }: { user: User }) => (
  <OnlyScreen user={user} title="Second Factor" heading="Set up your second factor">
    <p className="mb-5 text-muted">
      The school asks every administrator for a second factor, {user.username}. Please set it up before you go
      on.
    </p>
    <SetUpSecondFactor user={user} />
  </OnlyScreen>
)

type OnlyScreenProps = { user: User; title: string; heading: string; children: ReactNode }

const OnlyScreen = ({ user, title, heading, children }: OnlyScreenProps) => {
  const leaving = useLeaving(user.id, toast)
  return (
    <main className="mx-auto flex max-w-form flex-col gap-4 p-4 pt-10">
      <PageTitle>{title}</PageTitle>
      <Card className="p-5 sm:p-8">
        <div className="mb-4 flex items-center gap-3">
          <Logo className="size-10" />
          <h1 className="font-display text-2xl font-semibold">{heading}</h1>
        </div>
        {children}
      </Card>
      <Button variant="ghost" onClick={() => void leaving.leave()}>
        Logout
      </Button>
      {leaving.question}
    </main>
  )
}
