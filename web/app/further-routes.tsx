import { Navigate, Route, Routes, useSearchParams } from 'react-router-dom'
import { useUser } from '../features/session/current-user'
import { lazyPart } from '../lib/lazy'
import { consolePaths } from '../lib/console-paths'
import { paths } from '../lib/paths'
import { NotFound } from '../pages/not-found'

const Receipt = lazyPart(() => import('../pages/receipt').then((m) => m.ReceiptPage))
const GuardianInvite = lazyPart(() => import('../pages/guardian-invite').then((m) => m.GuardianInvitePage))
const Account = lazyPart(() => import('../pages/account').then((m) => m.AccountPage))
const PaymentCancel = lazyPart(() => import('../pages/payment/cancel').then((m) => m.PaymentCancel))
const EditMenuItem = lazyPart(() => import('../pages/admin/edit-item').then((m) => m.EditItemPage))
const Family = lazyPart(() => import('../pages/admin/family').then((m) => m.FamilyPage))
const FamilyAccount = lazyPart(() => import('../pages/admin/family-account').then((m) => m.FamilyAccountPage))
const Closing = lazyPart(() => import('../pages/admin/closing').then((m) => m.ClosingPage))
const RollLetters = lazyPart(() => import('../pages/admin/roll-letters').then((m) => m.RollLettersPage))
const YearMove = lazyPart(() => import('../pages/admin/year-move').then((m) => m.YearMovePage))
const Settings = lazyPart(() => import('../pages/admin/settings').then((m) => m.SettingsPage))

/** The addresses beside the homes, by who is signed in. */
export const FurtherRoutes = () => {
  const { role } = useUser()
  const isAdmin = role === 'admin'
  return (
    <Routes>
      <Route path={paths.receipt(':number')} element={<Receipt />} />
      <Route path={paths.guardianInvite(':token')} element={<GuardianInvite />} />
      <Route
        path={paths.register}
        element={role === 'parent' ? <AddByCode /> : <Navigate to="/" replace />}
      />
      {isAdmin ? (
        <>
          <Route path={paths.editMenuItem(':id')} element={<EditMenuItem />} />
          <Route path={paths.family(':id')} element={<Family />} />
          <Route path={paths.accountOf(':id')} element={<FamilyAccount />} />
          <Route path={consolePaths.closing(':date')} element={<Closing />} />
          <Route path={consolePaths.rollLetters} element={<RollLetters />} />
          <Route path={consolePaths.yearMove} element={<YearMove />} />
          <Route path={paths.settings} element={<Settings />} />
        </>
      ) : (
        <>
          <Route path={paths.statementOfAccount} element={<Account />} />
          <Route path={paths.paymentCancel} element={<PaymentCancel />} />
        </>
      )}
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

/** A letter of the school's, opened by whoever has an account: its code waits among the students. */
const AddByCode = () => {
  const code = useSearchParams()[0].get('code') ?? ''
  return <Navigate to={`${paths.tab('students')}&code=${encodeURIComponent(code)}`} replace />
}
