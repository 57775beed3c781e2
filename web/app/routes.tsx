import type { RouteObject } from 'react-router-dom'
import { paths } from '../lib/paths'
import { AppLayout } from './app-layout'
import { AdminOnly, ByRole, FamilyOnly, SignedIn } from './guards'
import { PageError } from './page-error'
import * as pages from './pages'

/** Every address and who may see what there (administrator.md section 2.1). */
export const routes: RouteObject[] = [
  {
    element: <AppLayout />,
    errorElement: <PageError />,
    children: [
      {
        element: <SignedIn otherwise={<pages.DebugLogin />} />,
        children: [{ path: paths.debugLogin, element: <pages.NotFound /> }],
      },
      {
        element: <SignedIn otherwise={<pages.SignInFirst />} />,
        children: [
          {
            element: <FamilyOnly />,
            children: [{ path: paths.paymentSuccess, element: <pages.PaymentSuccess /> }],
          },
        ],
      },
      {
        element: <SignedIn otherwise={<pages.PortalEntry />} />,
        children: [
          {
            path: paths.home,
            element: (
              <ByRole parent={<pages.ParentHome />} teacher={<pages.TeacherHome />} admin={<pages.Console />} />
            ),
          },
          {
            element: <FamilyOnly />,
            children: [{ path: paths.paymentCancel, element: <pages.PaymentCancel /> }],
          },
          {
            element: <AdminOnly />,
            children: [
              { path: paths.editMenuItem(':id'), element: <pages.EditMenuItem /> },
              { path: paths.settings, element: <pages.Settings /> },
            ],
          },
          { path: '*', element: <pages.NotFound /> },
        ],
      },
    ],
  },
]
