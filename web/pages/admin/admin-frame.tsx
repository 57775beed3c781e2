import { Suspense, useState, type ReactNode } from 'react'
import type { FeatureName } from '#contracts/identity'
import { ConsoleShell, RebuildNotice, NoSection, sectionsOf } from '../../features/admin-shell/console-shell'
import { FindButton } from '../../features/find/find-button'
import { useUser } from '../../queries/session'
import { lazyComponent } from '../../lib/lazy'
import { PageTitle } from '../../ui/page-title'
import { SkeletonLines } from '../../ui/query-result'
import { UnsavedGuard, useLeave } from '../../ui/unsaved'
import { useLeaving } from '../use-leaving'

const ProfileDialog = lazyComponent(() =>
  import('../../features/session/profile/profile-dialog').then((m) => m.ProfileDialog),
)

type AdminFrameProps = { title: string; section: FeatureName | null; children: ReactNode }

export const AdminFrame = (props: AdminFrameProps) => (
  <UnsavedGuard>
    <GuardedFrame {...props} />
  </UnsavedGuard>
)

const GuardedFrame = ({ title, section, children }: AdminFrameProps) => {
  const user = useUser()
  const leaving = useLeaving(user.id)
  const leave = useLeave()
  const [profile, setProfile] = useState(false)
  return (
    <ConsoleShell
      title={title}
      username={user.username}
      held={sectionsOf(user)}
      current={section}
      find={<FindButton user={user} />}
      loggingOut={leaving.isLeaving}
      onProfile={() => setProfile(true)}
      onLogout={() => leave(() => void leaving.leave())}
    >
      <RebuildNotice />
      <PageTitle of="Tuckshop">{title}</PageTitle>
      <Suspense fallback={<SkeletonLines lines={6} />}>{children}</Suspense>
      {leaving.question}
      <Suspense>
        {profile ? <ProfileDialog open onClose={() => setProfile(false)} user={user} /> : null}
      </Suspense>
    </ConsoleShell>
  )
}

type SectionFrameProps = { title: string; section: FeatureName; name?: string; children: ReactNode }

/** A section's page at its own address. */
export const SectionFrame = ({ title, section, name = title, children }: SectionFrameProps) => {
  const isHeld = sectionsOf(useUser()).some(({ key }) => key === section)
  return (
    <AdminFrame title={title} section={isHeld ? section : null}>
      {isHeld ? (
        children
      ) : (
        <NoSection title={`${name} is not open to you`}>
          Your account does not have this section. Another administrator can give it to you.
        </NoSection>
      )}
    </AdminFrame>
  )
}
