import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Route, Routes, Outlet } from 'react-router-dom'
import type { Role } from '#contracts/identity'
import { paths } from '../lib/paths'
import { useUser, userQuery } from '../queries/session'
import { AppLayout } from './app-layout'
import * as pages from './pages'

/** administrator.md section 2.1. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<AppLayout />}>
      <Route path={paths.stopReminders(':token')} element={<pages.StopReminders />} />
      <Route path={paths.privacy} element={<pages.Privacy />} />
      <Route element={<SignedIn otherwise={<pages.DebugLogin />} />}>
        <Route path={paths.debugLogin} element={<pages.NotFound />} />
      </Route>
      <Route element={<pages.HatchDoor />}>
        <Route element={<SignedIn otherwise={<pages.PortalEntry />} />}>
          <Route path={paths.serve} element={<pages.NotFound />} />
        </Route>
      </Route>
      <Route element={<SignedIn otherwise={<pages.SignInFirst />} />}>
        <Route element={<FamilyOnly />}>
          <Route path={paths.paymentSuccess} element={<pages.PaymentSuccess />} />
          <Route path={paths.paymentPhone} element={<pages.PaymentByPhone />} />
        </Route>
      </Route>
      <Route element={<SignedIn otherwise={<pages.PortalEntry />} />}>
        <Route
          path={paths.home}
          element={
            <ByRole parent={<pages.ParentHome />} teacher={<pages.TeacherHome />} admin={<pages.Console />} />
          }
        />
        <Route path="*" element={<pages.FurtherRoutes />} />
      </Route>
    </Route>
  </Routes>
)

const SignedIn = ({ otherwise }: { otherwise: ReactNode }) => {
  const user = useQuery(userQuery).data
  if (!user) return otherwise
  if (user.mustChangePassword) return <pages.ChangePassword user={user} />
  if (user.mustSetUpSecondFactor) return <pages.DemandedSecondFactor user={user} />
  // What one user typed is not for the next.
  return <Outlet key={user.id} context={user} />
}

const FamilyOnly = () => {
  const user = useUser()
  return user.role === 'admin' ? <pages.NotFound /> : <Outlet context={user} />
}

const ByRole = (pages: Record<Role, ReactNode>) => pages[useUser().role]
