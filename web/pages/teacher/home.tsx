import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Student, User } from '#contracts/identity'
import { useUser } from '../../features/session/current-user'
import { ChildHealth } from '../../features/health/child-health'
import { studentsQuery } from '../../features/students/api'
import { lazyPart } from '../../lib/lazy'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { PageTitle } from '../../ui/page-title'
import { QueryResult } from '../../ui/query-result'
import { SkeletonLines } from '../../ui/skeleton'
import { Tabs } from '../../ui/tabs'
import { CalendarSkeleton } from '../ordering/calendar-skeleton'
import { HomeFrame } from '../ordering/home-frame'
import { MenuTab } from '../ordering/menu-tab'
import { useSwitchToCart } from '../ordering/use-switch-to-cart'
import { needsALook, useOrdering, type Ordering } from '../ordering/use-ordering'
import type { Cart } from '../../features/cart/use-cart'
import { toast } from '../../lib/toast'

const CartPanel = lazyPart(() => import('../../features/cart/panel/cart-panel').then((m) => m.CartPanel))
const OrderHistory = lazyPart(() => import('../../features/orders/order-history').then((m) => m.OrderHistory))
const MealsToLookAt = lazyPart(() =>
  import('../../features/orders/meals-to-look-at').then((m) => m.MealsToLookAt),
)
const OpenPayments = lazyPart(() =>
  import('../../features/open-payments/open-payments').then((m) => m.OpenPayments),
)

/** What comes for a tab besides the home itself. */
export const panels: Record<string, Pick<typeof OrderHistory, 'preload'> | undefined> = {
  cart: CartPanel,
  orders: OrderHistory,
}

const tabs = [
  { key: 'menu', label: 'Menu Calendar', icon: 'calendar' },
  { key: 'orders', label: 'Order History', icon: 'history' },
] as const

const isStaff = ({ grade }: Student) => grade === 'teacher'

/** The teacher's home: the secondary menu with the cart behind it, and the orders, for nobody but themselves. */
export const TeacherHome = () => {
  const user = useUser()
  const [query, setQuery] = useSearchParams()
  const ordering = useOrdering(user)
  const own = useQuery(studentsQuery).data?.find(isStaff)
  useOwnMealsOnly(ordering.cart, own?.id)
  const inCart = query.get('tab') === 'cart'
  const tab = tabs.find(({ key }) => key === query.get('tab')) ?? tabs[0]
  const show = (key: string) => setQuery({ tab: key })
  useSwitchToCart(() => show('cart'))
  const toMenu = () => {
    show('menu')
    // What was pressed goes away with what it stood in, and would take the focus with it.
    document.querySelector<HTMLElement>('[data-key=menu]')?.focus()
  }
  return (
    <HomeFrame user={user}>
      {(open) => (
        <div>
          <PageTitle of="Teacher Portal">{inCart ? 'Cart' : tab.label}</PageTitle>
          {own ? <ChildHealth student={own} /> : null}
          <Tabs label="Sections" tabs={tabs} current={tab.key} onChange={show} atFoot>
            <Suspense>
              {needsALook(ordering) ? <MealsToLookAt as="teacher" /> : null}
              <OpenPayments withMeals={tab.key === 'orders'} />
            </Suspense>
            <Suspense fallback={<SkeletonLines lines={4} className="h-24" />}>
              {inCart ? (
                <>
                  <CartHead onBack={toMenu} />
                  <CartPanel
                    cart={ordering.cart}
                    customer={user}
                    onBrowse={toMenu}
                    onProfile={open.profile}
                  />
                </>
              ) : tab.key === 'menu' ? (
                <OwnMenu user={user} ordering={ordering} />
              ) : (
                <OrderHistory as="teacher" emptyAction={<Button onClick={toMenu}>Browse the menu</Button>} />
              )}
            </Suspense>
          </Tabs>
        </div>
      )}
    </HomeFrame>
  )
}

const takeFocus = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true })

const CartHead = ({ onBack }: { onBack: () => void }) => (
  <div className="flex flex-col items-start gap-1 pb-4">
    <Button variant="ghost" icon="chevron-left" className="-mt-3 -ml-4" onClick={onBack}>
      Back to Menu Calendar
    </Button>
    <h2 ref={takeFocus} tabIndex={-1} className="font-display text-2xl font-semibold outline-none">
      Cart
    </h2>
  </div>
)

/** The student of a teacher is the teacher: the staff entry's id under the username. */
const OwnMenu = ({ user, ordering }: { user: User; ordering: Ordering }) => {
  const students = useQuery(studentsQuery)
  return (
    <QueryResult
      query={students}
      failure="Failed to load students. Please try again."
      waiting={<CalendarSkeleton />}
      isEmpty={(list) => !list.some(isStaff)}
      empty={
        <EmptyState
          icon="person"
          title="Your staff account is not ready"
          action={
            <Button busy={students.isFetching} onClick={() => void students.refetch()}>
              Check again
            </Button>
          }
        >
          Meals can be ordered once the tuckshop has set it up. Please write to them under Contact.
        </EmptyState>
      }
    >
      {(list) => {
        const { id, grade } = list.find(isStaff)!
        const self = { id, name: user.username, grade }
        return <MenuTab ordering={ordering} eater={self} eaters={[self]} onChoose={() => undefined} />
      }}
    </QueryResult>
  )
}

/** Takes out of a teacher's cart what was meant for children before the account became a teacher's. */
export const useOwnMealsOnly = ({ items, update }: Cart, ownId: number | undefined): void => {
  const isOthers = ({ studentId }: { studentId: number }) => ownId !== undefined && studentId !== ownId
  const hasOthers = items.some(isOthers)
  useEffect(() => {
    if (!hasOthers) return
    update((now) => now.filter((item) => !isOthers(item)))
    toast({ title: 'Cart updated', text: 'A teacher account orders for its owner only.', kind: 'info' })
  })
}
