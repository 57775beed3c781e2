import { Suspense, type ReactNode } from 'react'
import type { FeatureName } from '#contracts/identity'
import { ConsoleShell } from '../../features/admin-shell/console-shell'
import { sectionsOf } from '../../features/admin-shell/sections'
import { useUser } from '../../features/session/current-user'
import { useSignOut } from '../../features/session/api'
import { adminToast } from '../../lib/toast'
import { PageTitle } from '../../ui/page-title'
import { SkeletonLines } from '../../ui/skeleton'

type AdminFrameProps = { title: string; section: FeatureName | null; children: ReactNode }

/** Every page of an administrator: the console around it, with the way out. */
export const AdminFrame = ({ title, section, children }: AdminFrameProps) => {
  const user = useUser()
  const signingOut = useSignOut(adminToast)
  return (
    <ConsoleShell
      title={title}
      username={user.username}
      held={sectionsOf(user)}
      current={section}
      loggingOut={signingOut.isPending}
      onLogout={() => signingOut.mutate()}
    >
      <PageTitle of="Tuckshop">{title}</PageTitle>
      <Suspense fallback={<SkeletonLines lines={6} />}>{children}</Suspense>
    </ConsoleShell>
  )
}
