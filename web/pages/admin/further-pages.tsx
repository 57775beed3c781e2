import { type ReactNode, Suspense } from 'react'
import { Link, useParams } from 'react-router-dom'
import { familyFeatures, type FamilyPage as FamilyReply, type FamilyPayment } from '#contracts/find'
import type { FeatureName } from '#contracts/identity'
import { NoSection, sectionsOf } from '../../features/admin-shell/console-shell'
import { lazyComponent } from '../../lib/lazy'
import { paths } from '../../lib/paths'
import { useUser } from '../../queries/session'
import { AdminFrame, SectionFrame } from './admin-frame'

const AllergenPaper = lazyComponent(() =>
  import('../../features/kitchen/papers/allergen-paper').then((m) => m.AllergenPaper),
)
const ClosingPaper = lazyComponent(() =>
  import('../../features/books/day-end/closing-paper').then((m) => m.ClosingPaper),
)
const ItemEditor = lazyComponent(() =>
  import('../../features/catalogue-admin/form/item-editor').then((m) => m.ItemEditor),
)
const NewLetters = lazyComponent(() =>
  import('../../features/claim-letters/new-letters').then((m) => m.NewLetters),
)
const FamilyScreen = lazyComponent(() =>
  import('../../features/families/family-screen').then((m) => m.FamilyScreen),
)
const ConfirmPayment = lazyComponent(() =>
  import('../../features/pending-payments/pending-payments').then((m) => m.ConfirmPayment),
)
const OrderForFamily = lazyComponent(() => import('./order-for-family').then((m) => m.OrderForFamily))
const PlanForOffice = lazyComponent(() =>
  import('../../features/family-plan/plan-for-office').then((m) => m.PlanForOffice),
)
const FamilyCredit = lazyComponent(() =>
  import('../../features/parents/family-credit').then((m) => m.FamilyCredit),
)
const WaitingPayouts = lazyComponent(() =>
  import('../../features/approvals/waiting-payouts').then((m) => m.WaitingPayouts),
)
const HealthButton = lazyComponent(() =>
  import('../../features/health/child-health').then((m) => m.HealthButton),
)
const StatementPaper = lazyComponent(() =>
  import('../../features/statement-of-account/statement-paper').then((m) => m.StatementPaper),
)
const YearMove = lazyComponent(() => import('../../features/year-move/year-move').then((m) => m.YearMove))
const SettingsSection = lazyComponent(() => import('./settings-section').then((m) => m.SettingsSection))

export const ClosingPage = () => {
  const { date = '' } = useParams()
  return (
    <SectionFrame title="Day end" section="history" name="Cycle History">
      <ClosingPaper date={date} />
    </SectionFrame>
  )
}

export const EditItemPage = () => {
  const id = Number(useParams().id)
  return (
    <SectionFrame title="Edit Menu Item" section="menu" name="Menu Management">
      <ItemEditor key={id} id={id} />
    </SectionFrame>
  )
}

/** For the kitchen, and for whoever writes the menu. */
export const AllergenTablePage = () => {
  const isCook = sectionsOf(useUser()).some(({ key }) => key === 'kitchen')
  return (
    <SectionFrame
      title="Allergen table"
      section={isCook ? 'kitchen' : 'menu'}
      name={isCook ? 'Kitchen View' : 'Menu Management'}
    >
      <AllergenPaper />
    </SectionFrame>
  )
}

export const RollLettersPage = () => (
  <SectionFrame title="Letters" section="parents_students" name="Parents & Students">
    <NewLetters />
  </SectionFrame>
)

export const YearMovePage = () => (
  <SectionFrame title="Year Move" section="parents_students" name="Parents & Students">
    <YearMove />
  </SectionFrame>
)

export const SettingsPage = () => (
  <SectionFrame title="Settings" section="settings">
    <SettingsSection />
  </SectionFrame>
)

export const FamilyPage = () => {
  const user = useUser()
  const id = Number(useParams().id)
  const holds = (feature: FeatureName) => user.allowedFeatures.includes(feature)
  return (
    <FamilyFrame
      title="Family"
      features={familyFeatures}
      refused="Families are not open to you"
      shows="families"
    >
      <FamilyScreen
        key={id}
        id={id}
        user={user}
        health={holds('parents_students') ? healthOf : undefined}
        order={holds('parents_students') ? orderOf : undefined}
        plan={holds('parents_students') ? planOf : planReadOf}
        confirm={holds('pending_payments') ? confirmOf : undefined}
        credit={holds('refunds') ? creditOf : undefined}
      />
    </FamilyFrame>
  )
}

const healthOf = (student: { id: number; name: string }) => <HealthButton student={student} />

const planOf = (page: FamilyReply) => (
  <Suspense>
    <PlanForOffice page={page} mayPause />
  </Suspense>
)

const planReadOf = (page: FamilyReply) => (
  <Suspense>
    <PlanForOffice page={page} mayPause={false} />
  </Suspense>
)

const orderOf = (page: FamilyReply) => <OrderForFamily page={page} />

const confirmOf = ({ reference, unpaidOrders }: FamilyPayment) => (
  <ConfirmPayment about={reference} orders={unpaidOrders} />
)

const creditOf = (parent: { id: number; username: string }) => (
  <FamilyCredit parent={parent} waitingPayouts={<WaitingPayouts parentId={parent.id} />} />
)

export const FamilyAccountPage = () => {
  const id = Number(useParams().id)
  return (
    <FamilyFrame
      title="Statement of account"
      features={['refunds', 'live_orders', 'pending_payments']}
      refused="Statements of account are not open to you"
      shows="them"
    >
      <div className="flex flex-col gap-3">
        <Link
          to={paths.family(id)}
          className="inline-flex min-h-11 items-center self-start font-semibold text-brand-700 underline print:hidden"
        >
          Back to the family
        </Link>
        <StatementPaper parentId={id} />
      </div>
    </FamilyFrame>
  )
}

type FamilyFrameProps = {
  title: string
  /** Any one of these suffices. */
  features: readonly FeatureName[]
  refused: string
  shows: string
  children: ReactNode
}

/** Belongs to no section. */
const FamilyFrame = ({ title, features, refused, shows, children }: FamilyFrameProps) => {
  const { allowedFeatures } = useUser()
  return (
    <AdminFrame title={title} section={null}>
      {features.some((feature) => allowedFeatures.includes(feature)) ? (
        children
      ) : (
        <NoSection title={refused}>
          {`Your account has none of the sections that show ${shows}. Another administrator can give you one.`}
        </NoSection>
      )}
    </AdminFrame>
  )
}
