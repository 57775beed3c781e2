import { Route, Routes } from 'react-router-dom'
import { paths } from '../lib/paths'
import { AppLayout } from './app-layout'
import { AdminOnly, ByRole, FamilyOnly, SignedIn } from './guards'
import * as pages from './pages'

/** Every address and who may see what there (administrator.md section 2.1). */
export const AppRoutes = () => (
  <Routes>
    <Route element={<AppLayout />}>
      <Route element={<SignedIn otherwise={<pages.DebugLogin />} />}>
        <Route path={paths.debugLogin} element={<pages.NotFound />} />
      </Route>
      <Route element={<SignedIn otherwise={<pages.SignInFirst />} />}>
        <Route element={<FamilyOnly />}>
          <Route path={paths.paymentSuccess} element={<pages.PaymentSuccess />} />
        </Route>
      </Route>
      <Route element={<SignedIn otherwise={<pages.PortalEntry />} />}>
        <Route
          path={paths.home}
          element={
            <ByRole parent={<pages.ParentHome />} teacher={<pages.TeacherHome />} admin={<pages.Console />} />
          }
        />
        <Route element={<FamilyOnly />}>
          <Route path={paths.paymentCancel} element={<pages.PaymentCancel />} />
        </Route>
        <Route element={<AdminOnly />}>
          <Route path={paths.editMenuItem(':id')} element={<pages.EditMenuItem />} />
          <Route path={paths.settings} element={<pages.Settings />} />
        </Route>
        <Route path="*" element={<pages.NotFound />} />
      </Route>
    </Route>
  </Routes>
)
