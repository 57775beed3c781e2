import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Student, User } from '#contracts/identity'
import { ChildPicker } from '../../features/menu/child-picker'
import { isActive, isFor } from '../../features/menu/menu-week'
import { lazyComponent } from '../../lib/lazy'
import { useTabPlace } from '../../lib/tab-place'
import { studentsQuery } from '../../queries/identity'
import { useUser } from '../../queries/session'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { EmptyState, QueryResult, Skeleton } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'
import { HomeFrame, useSwitchToCart } from '../ordering/home-frame'
import { HomePanel } from '../ordering/home-panel'
import { CalendarSkeleton, MenuTab } from '../ordering/menu-tab'
import { useEaters, useOrdering, type Ordering } from '../ordering/use-ordering'
import { isHowToClosed } from './how-to-closed'

const CartPanel = lazyComponent(() => import('../../features/cart/panel/cart-panel').then((m) => m.CartPanel))
const StudentsPanel = lazyComponent(() =>
  import('../../features/students/students-panel').then((m) => m.StudentsPanel),
)
const ChildHealth = lazyComponent(() =>
  import('../../features/health/child-health').then((m) => m.ChildHealth),
)
const HealthInvitation = lazyComponent(() =>
  import('../../features/health/child-health').then((m) => m.HealthInvitation),
)
const ChildGuardians = lazyComponent(() =>
  import('../../features/guardians/child-guardians').then((m) => m.ChildGuardians),
)
const WaitingInvitations = lazyComponent(() =>
  import('../../features/guardians/waiting-invitations').then((m) => m.WaitingInvitations),
)
const OrderHistory = lazyComponent(() =>
  import('../../features/orders/order-history').then((m) => m.OrderHistory),
)
const PlanLine = lazyComponent(() => import('../../features/family-plan/plan-line').then((m) => m.PlanLine))
const HowToCard = lazyComponent(() => import('./how-to-card').then((m) => m.HowToCard))

/** Loaded per tab. */
export const panels = new Map<string | null, Pick<typeof OrderHistory, 'preload'>>([
  ['cart', CartPanel],
  ['students', StudentsPanel],
  ['orders', OrderHistory],
])

const tabs = [
  { key: 'menu', label: 'Menu Calendar', icon: 'calendar' },
  { key: 'cart', label: 'Cart', icon: 'cart' },
  { key: 'students', label: 'Students', icon: 'people' },
  { key: 'orders', label: 'Order History', icon: 'history' },
] as const
type TabKey = (typeof tabs)[number]['key']

const aboutOf = (userId: number) => (student: Student) => (
  <Suspense fallback={<div className="min-h-20 pointer-coarse:min-h-24" />}>
    <ChildHealth student={student} />
    {student.grade === 'teacher' ? null : <ChildGuardians student={student} userId={userId} />}
  </Suspense>
)

const healthQuestion = (student: Student) => (
  <Suspense key={student.id}>
    <HealthInvitation student={student} isOnce />
  </Suspense>
)

/** Tab and child are in the address. */
export const ParentHome = () => {
  const user = useUser()
  const [query, setQuery] = useSearchParams()
  const ordering = useOrdering(user)
  const tab = tabs.find(({ key }) => key === query.get('tab')) ?? tabs[0]
  useTabPlace(tab.key)
  const client = useQueryClient()
  const show = (key: TabKey) =>
    setQuery((now) => {
      now.set('tab', key)
      return now
    })
  const browse = (studentId?: number) =>
    setQuery((now) => {
      now.set('tab', 'menu')
      if (studentId !== undefined) now.set('student', String(studentId))
      return now
    })
  const forgetCode = () =>
    setQuery(
      (now) => {
        now.delete('code')
        return now
      },
      { replace: true },
    )
  const { arrives, orders, onOrdering } = useSwitchToCart(() =>
    setQuery((now) => {
      now.set('tab', 'cart')
      return now
    }),
  )
  return (
    <HomeFrame user={user}>
      {(open) => (
        <>
          <PageTitle>{tab.label}</PageTitle>
          <div>
            <Tabs
              label="Sections"
              atFoot
              tabs={withCount(ordering.cart.items.length)}
              current={tab.key}
              onChange={show}
            >
              <HomePanel as="parent" tab={tab.key} ordering={ordering}>
                {tab.key === 'menu' ? (
                  <ChildrensMenu user={user} ordering={ordering} onAddStudent={() => show('students')} />
                ) : null}
                {tab.key === 'cart' ? (
                  <section ref={arrives} aria-label="Cart" tabIndex={-1} className="outline-none">
                    <CartPanel
                      cart={ordering.cart}
                      customer={user}
                      onBrowse={browse}
                      onProfile={open.profile}
                      orders={orders}
                      onOrdering={onOrdering}
                    />
                  </section>
                ) : null}
                {tab.key === 'students' ? (
                  <Suspense>
                    <PlanLine />
                  </Suspense>
                ) : null}
                {tab.key === 'students' ? (
                  <StudentsPanel
                    parentId={user.id}
                    about={aboutOf(user.id)}
                    question={healthQuestion}
                    claim={{ code: query.get('code'), onDone: forgetCode }}
                    onChooseMeals={(id) => {
                      const students = client.getQueryData<Student[]>(studentsQuery.queryKey) ?? []
                      browse(withoutLunch(ordering, students) ?? id)
                    }}
                  />
                ) : null}
                {tab.key === 'orders' ? (
                  <OrderHistory
                    as="parent"
                    emptyAction={<Button onClick={() => show('menu')}>Browse the menu</Button>}
                  />
                ) : null}
              </HomePanel>
            </Tabs>
          </div>
        </>
      )}
    </HomeFrame>
  )
}

/** The first child with no lunch to come. */
const withoutLunch = ({ orders, calendar }: Ordering, students: readonly Student[]): number | undefined => {
  const today = calendar.data?.[0][1].find((cycle) => cycle.isActive)?.today ?? ''
  const toCome = orders.data?.filter((order) => isActive(order) && order.mealDate >= today) ?? []
  return students.find((child) => !toCome.some((order) => isFor(child, order)))?.id
}

const withCount = (meals: number) => tabs.map((tab) => (tab.key === 'cart' ? { ...tab, count: meals } : tab))

type ChildrensMenuProps = { user: User; ordering: Ordering; onAddStudent: () => void }

const ChildrensMenu = ({ user, ordering, onAddStudent }: ChildrensMenuProps) => {
  const [query, setQuery] = useSearchParams()
  const students = useEaters()
  const choose = (id: number) =>
    setQuery(
      (now) => {
        now.set('student', String(id))
        return now
      },
      { replace: true },
    )
  const place = useRef<HTMLDivElement>(null)
  const howTo = isHowToClosed(user.id) ? null : (
    // Height of the card.
    <Suspense fallback={<Skeleton className="h-40" />}>
      <HowToCard userId={user.id} onClosed={() => place.current?.focus()} />
    </Suspense>
  )
  return (
    <QueryResult
      query={students}
      failure="Failed to load students. Please try again."
      waiting={<CalendarSkeleton />}
      isEmpty={(list) => list.length === 0}
      empty={
        <div ref={place} tabIndex={-1} className="outline-none">
          {howTo}
          <Suspense fallback={<Skeleton className="h-40" />}>
            <WaitingInvitations
              otherwise={
                <EmptyState
                  icon="people"
                  title="Who are the meals for?"
                  action={<Button onClick={onAddStudent}>Add your first child</Button>}
                >
                  Add your children, then choose their meals day by day.
                </EmptyState>
              }
            />
          </Suspense>
        </div>
      }
    >
      {(list) => {
        const chosen = list.find(({ id }) => String(id) === query.get('student')) ?? list[0]!
        return (
          <div ref={place} tabIndex={-1} className="flex flex-col gap-2 outline-none md:gap-4">
            <MenuTab
              ordering={ordering}
              eater={chosen}
              eaters={list}
              onChoose={choose}
              picker={<ChildPicker eaters={list} chosen={chosen} onChoose={choose} />}
              // Until the first order.
              introduction={ordering.orders.data?.length === 0 ? howTo : null}
            />
            <Suspense>
              <HealthInvitation key={chosen.id} student={chosen} />
            </Suspense>
          </div>
        )
      }}
    </QueryResult>
  )
}
