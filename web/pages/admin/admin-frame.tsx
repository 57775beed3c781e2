import { useMutation } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import type { FeatureName, User } from '#contracts/identity'
import { ConsoleShell } from '../../features/admin-shell/console-shell'
import { sectionsOf } from '../../features/admin-shell/sections'
import { signOut } from '../../features/session/api'
import { messageOf } from '../../lib/call'
import { adminToast } from '../../lib/toast'
import { PageTitle } from '../../ui/page-title'
import { SkeletonLines } from '../../ui/skeleton'

type AdminFrameProps = { user: User; title: string; section: FeatureName | null; children: ReactNode }

/** Every page of an administrator: the console around it, with the way out. */
export const AdminFrame = ({ user, title, section, children }: AdminFrameProps) => {
  const leave = useMutation({
    ...signOut,
    onSuccess: async (...done) => {
      await signOut.onSuccess?.(...done)
      adminToast({ title: 'Logged out successfully' })
    },
    onError: (error) =>
      adminToast({ title: 'Error', text: messageOf(error, 'Failed to logout'), kind: 'error' }),
  })
  return (
    <ConsoleShell
      title={title}
      username={user.username}
      held={sectionsOf(user)}
      current={section}
      loggingOut={leave.isPending}
      onLogout={() => leave.mutate()}
    >
      <PageTitle of="Tuckshop">{title}</PageTitle>
      <Suspense fallback={<SkeletonLines lines={6} />}>{children}</Suspense>
    </ConsoleShell>
  )
}
