import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import type { WaitingKind } from '#contracts/find'
import type { FeatureName, User } from '#contracts/identity'
import {
  ConsoleShell,
  RebuildNotice,
  NoSection,
  sectionsOf,
  todayEntry,
} from '../../features/admin-shell/console-shell'
import { FindButton } from '../../features/find/find-button'
import { lazyComponent } from '../../lib/lazy'
import { useUser } from '../../queries/session'
import { hasToday, todayQuery } from '../../queries/today'
import { PageTitle } from '../../ui/page-title'
import { SkeletonLines } from '../../ui/query-result'
import { UnsavedGuard, useLeave } from '../../ui/unsaved'
import { useLeaving } from '../use-leaving'

const ProfileDialog = lazyComponent(() =>
  import('../../features/session/profile/profile-dialog').then((m) => m.ProfileDialog),
)

type AdminFrameProps = { title: string; section: FeatureName | 'today' | null; children: ReactNode }

/** Counted as the list of the section counts. */
const waitsIn: Partial<Record<FeatureName, WaitingKind>> = {
  live_orders: 'unpaid_payments',
  refunds: 'refunds_due',
  order_recovery: 'payments_to_decide',
  pending_payments: 'unpaid_families',
}

const useEntries = (user: User) => {
  const mayWait = hasToday(user)
  const { data: waiting } = useQuery({ ...todayQuery, enabled: mayWait })
  const waitsOf = (section: FeatureName) => waiting?.data.find(({ what }) => what === waitsIn[section])?.count
  const entries = sectionsOf(user).map((section) => ({ ...section, waits: waitsOf(section.key) ?? 0 }))
  return mayWait ? [todayEntry, ...entries] : entries
}

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
      held={useEntries(user)}
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
