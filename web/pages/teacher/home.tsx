import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Student, User } from '#contracts/identity'
import type { Cart } from '../../features/cart/cart'
import { ChildHealth } from '../../features/health/child-health'
import { lazyComponent } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { studentsQuery } from '../../queries/identity'
import { useUser } from '../../queries/session'
import { Button } from '../../ui/button'
import { PageTitle } from '../../ui/page-title'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { Tabs } from '../../ui/tabs'
import { HomeFrame, useSwitchToCart } from '../ordering/home-frame'
import { HomePanel } from '../ordering/home-panel'
import { CalendarSkeleton, MenuTab } from '../ordering/menu-tab'
import { useEaters, useOrdering, type Ordering } from '../ordering/use-ordering'

const CartPanel = lazyComponent(() => import('../../features/cart/panel/cart-panel').then((m) => m.CartPanel))
const OrderHistory = lazyComponent(() =>
  import('../../features/orders/order-history').then((m) => m.OrderHistory),
)
const PlanLine = lazyComponent(() => import('../../features/family-plan/plan-line').then((m) => m.PlanLine))

/** Loaded per tab. */
export const panels = new Map<string | null, Pick<typeof OrderHistory, 'preload'>>([
  ['cart', CartPanel],
  ['orders', OrderHistory],
])

const tabs = [
  { key: 'menu', label: 'Menu Calendar', icon: 'calendar' },
  { key: 'orders', label: 'Order History', icon: 'history' },
] as const

const isStaff = ({ grade }: Student) => grade === 'teacher'

/** Secondary menu, cart and own orders. */
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
    // The pressed element disappears with the focus.
    document.querySelector<HTMLElement>('[data-key=menu]')?.focus()
  }
  return (
    <HomeFrame user={user}>
      {(open) => (
        <div>
          <PageTitle of="Teacher Portal">{inCart ? 'Cart' : tab.label}</PageTitle>
          <Tabs label="Sections" tabs={tabs} current={tab.key} onChange={show} atFoot>
            <HomePanel as="teacher" tab={inCart ? 'cart' : tab.key} ordering={ordering}>
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
                <>
                  <OwnMenu user={user} ordering={ordering} />
                  {own ? (
                    <div className="mt-3">
                      <Suspense>
                        <PlanLine />
                      </Suspense>
                      <ChildHealth student={own} />
                    </div>
                  ) : null}
                </>
              ) : (
                <OrderHistory as="teacher" emptyAction={<Button onClick={toMenu}>Browse the menu</Button>} />
              )}
            </HomePanel>
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

/** The teacher's staff entry is the student. */
const OwnMenu = ({ user, ordering }: { user: User; ordering: Ordering }) => {
  const students = useEaters()
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
        const { id, grade, discountPercentage } = list.find(isStaff)!
        const self = { id, name: user.username, grade, discountPercentage }
        return <MenuTab ordering={ordering} eater={self} eaters={[self]} onChoose={() => undefined} />
      }}
    </QueryResult>
  )
}

/** Drops children's meals from before the account became a teacher's. */
export const useOwnMealsOnly = ({ items, update }: Cart, ownId: number | undefined): void => {
  const isOthers = ({ studentId }: { studentId: number }) => ownId !== undefined && studentId !== ownId
  const hasOthers = items.some(isOthers)
  useEffect(() => {
    if (!hasOthers) return
    update((now) => now.filter((item) => !isOthers(item)))
    toast({ title: 'Cart updated', text: 'A teacher account orders for its owner only.', kind: 'info' })
  })
}
