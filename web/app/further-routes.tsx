import { Navigate, Route, Routes, useSearchParams } from 'react-router-dom'
import { lazyComponent } from '../lib/lazy'
import { consolePaths, paths } from '../lib/paths'
import { NotFound } from '../pages/not-found'
import { useUser } from '../queries/session'

const Receipt = lazyComponent(() => import('../pages/papers').then((m) => m.ReceiptPage))
const GuardianInvite = lazyComponent(() => import('../pages/opened-links').then((m) => m.GuardianInvitePage))
const VerifyEmail = lazyComponent(() => import('../pages/opened-links').then((m) => m.VerifyEmailPage))
const Account = lazyComponent(() => import('../pages/papers').then((m) => m.AccountPage))
const PaymentCancel = lazyComponent(() => import('../pages/payment/cancel').then((m) => m.PaymentCancel))
const EditMenuItem = lazyComponent(() => import('../pages/admin/further-pages').then((m) => m.EditItemPage))
const Family = lazyComponent(() => import('../pages/admin/further-pages').then((m) => m.FamilyPage))
const FamilyAccount = lazyComponent(() =>
  import('../pages/admin/further-pages').then((m) => m.FamilyAccountPage),
)
const Closing = lazyComponent(() => import('../pages/admin/further-pages').then((m) => m.ClosingPage))
const RollLetters = lazyComponent(() => import('../pages/admin/further-pages').then((m) => m.RollLettersPage))
const AllergenTable = lazyComponent(() =>
  import('../pages/admin/further-pages').then((m) => m.AllergenTablePage),
)
const YearMove = lazyComponent(() => import('../pages/admin/further-pages').then((m) => m.YearMovePage))
const Settings = lazyComponent(() => import('../pages/admin/further-pages').then((m) => m.SettingsPage))

export const FurtherRoutes = () => {
  const { role } = useUser()
  const isAdmin = role === 'admin'
  return (
    <Routes>
      <Route path={paths.receipt(':number')} element={<Receipt />} />
      <Route path={paths.guardianInvite(':token')} element={<GuardianInvite />} />
      <Route path={paths.verifyEmail} element={<VerifyEmail />} />
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
          <Route path="/papers/allergens" element={<AllergenTable />} />
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

/** A school letter opened by an existing account. */
const AddByCode = () => {
  const code = useSearchParams()[0].get('code') ?? ''
  return <Navigate to={`${paths.tab('students')}&code=${encodeURIComponent(code)}`} replace />
}
