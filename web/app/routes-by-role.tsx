import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { userQuery } from '../features/session/api'
import { patterns } from '../lib/paths'
import { PageSpinner } from '../ui/spinner'
import * as pages from './pages'
import { useEmailVerification } from './use-email-verification'

/** The addresses of whoever is signed in (administrator.md section 2.1). */
export const RoutesByRole = () => {
  const user = useQuery(userQuery)
  useEmailVerification()
  if (user.data === undefined) return <PageSpinner />
  return <Suspense fallback={<PageSpinner />}>{routesFor(user.data)}</Suspense>
}

const routesFor = (user: User | null) => {
  if (!user) return <SignedOutRoutes />
  if (user.mustChangePassword) return <pages.ChangePassword user={user} />
  if (user.role === 'admin') return <AdminRoutes user={user} />
  return <OrderingRoutes home={user.role === 'teacher' ? pages.TeacherHome : pages.ParentHome} user={user} />
}

const SignedOutRoutes = () => (
  <Routes>
    <Route path={patterns.debugLogin} element={<pages.DebugLogin />} />
    <Route path={patterns.anything} element={<pages.PortalEntry />} />
  </Routes>
)

const AdminRoutes = ({ user }: { user: User }) => (
  <Routes>
    <Route path={patterns.home} element={<pages.Console user={user} />} />
    <Route path={patterns.editMenuItem} element={<pages.EditMenuItem user={user} />} />
    <Route path={patterns.settings} element={<pages.Settings user={user} />} />
    <Route path={patterns.anything} element={<pages.NotFound />} />
  </Routes>
)

const OrderingRoutes = ({ home: Home, user }: { home: typeof pages.ParentHome; user: User }) => (
  <Routes>
    <Route path={patterns.home} element={<Home user={user} />} />
    <Route path={patterns.paymentCancel} element={<pages.PaymentCancel />} />
    <Route path={patterns.anything} element={<pages.NotFound />} />
  </Routes>
)
