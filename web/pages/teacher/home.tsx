import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { User } from '#contracts/identity'
import { switchToCart } from '../../features/cart/cart-buttons'
import { studentsQuery } from '../../features/students/api'
import { lazyPart } from '../../lib/lazy'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { PageTitle } from '../../ui/page-title'
import { QueryFaces } from '../../ui/query-faces'
import { SkeletonLines } from '../../ui/skeleton'
import { Tabs } from '../../ui/tabs'
import { CalendarSkeleton } from '../ordering/calendar-skeleton'
import { HomeFrame } from '../ordering/home-frame'
import { MenuTab } from '../ordering/menu-tab'
import { useOrdering } from '../ordering/use-ordering'
import type { Ordering } from '../ordering/use-ordering'

const CartPanel = lazyPart(() => import('../../features/cart/cart-panel').then((m) => m.CartPanel))
const OrderHistory = lazyPart(() => import('../../features/orders/order-history').then((m) => m.OrderHistory))

const tabs = [
  { key: 'menu', label: 'Menu Calendar', icon: 'calendar' },
  { key: 'orders', label: 'Order History', icon: 'history' },
] as const

/** The teacher's home: the secondary menu and the orders, for nobody but themselves. */
export const TeacherHome = ({ user }: { user: User }) => {
  const [query, setQuery] = useSearchParams()
  const ordering = useOrdering(user)
  const tab = tabs.find(({ key }) => key === query.get('tab')) ?? tabs[0]
  const show = (key: string) => setQuery({ tab: key })
  useEffect(() => {
    const toCart = () => setQuery({ tab: 'cart' })
    window.addEventListener(switchToCart, toCart)
    return () => window.removeEventListener(switchToCart, toCart)
  }, [setQuery])
  return (
    <HomeFrame user={user}>
      {(open) =>
        query.get('tab') === 'cart' ? (
          <>
            <PageTitle of="Teacher Portal">Cart</PageTitle>
            <div className="flex items-center justify-between gap-3">
              <h2 className="font-display text-2xl font-semibold">Cart</h2>
              <Button variant="ghost" icon="chevron-left" onClick={() => show('menu')}>
                Back to Menu Calendar
              </Button>
            </div>
            <Suspense fallback={<SkeletonLines lines={4} className="h-24" />}>
              <CartPanel
                cart={ordering.cart}
                customer={user}
                onBrowse={() => show('menu')}
                onProfile={open.profile}
              />
            </Suspense>
          </>
        ) : (
          <div>
            <PageTitle of="Teacher Portal">{tab.label}</PageTitle>
            <Tabs label="Sections" tabs={tabs} current={tab.key} onChange={show}>
              <Suspense fallback={<SkeletonLines lines={4} className="h-24" />}>
                {tab.key === 'menu' ? (
                  <OwnMenu user={user} ordering={ordering} />
                ) : (
                  <OrderHistory as="teacher" />
                )}
              </Suspense>
            </Tabs>
          </div>
        )
      }
    </HomeFrame>
  )
}

/** The student of a teacher is the teacher: the staff entry's id under the username. */
const OwnMenu = ({ user, ordering }: { user: User; ordering: Ordering }) => (
  <QueryFaces
    query={useQuery(studentsQuery)}
    failure="Failed to load students. Please try again."
    waiting={<CalendarSkeleton />}
    isEmpty={(list) => !list.some(({ grade }) => grade === 'teacher')}
    empty={
      <EmptyState icon="person" title="Your staff account is not ready">
        Please contact the tuckshop.
      </EmptyState>
    }
  >
    {(list) => {
      const staff = list.find(({ grade }) => grade === 'teacher')!
      const self = { id: staff.id, name: user.username, grade: staff.grade }
      return <MenuTab ordering={ordering} eater={self} eaters={[self]} onChoose={() => undefined} />
    }}
  </QueryFaces>
)
