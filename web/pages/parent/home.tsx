import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { switchToCart } from '../../features/cart/cart-buttons'
import { ChildPicker } from '../../features/menu/child-picker'
import { useUser } from '../../features/session/current-user'
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
import { useOrdering, type Ordering } from '../ordering/use-ordering'
import { Card } from '../../ui/card'

const CartPanel = lazyPart(() => import('../../features/cart/panel/cart-panel').then((m) => m.CartPanel))
const StudentsPanel = lazyPart(() =>
  import('../../features/students/students-panel').then((m) => m.StudentsPanel),
)
const OrderHistory = lazyPart(() => import('../../features/orders/order-history').then((m) => m.OrderHistory))
const OpenPayments = lazyPart(() =>
  import('../../features/open-payments/open-payments').then((m) => m.OpenPayments),
)

const tabs = [
  { key: 'menu', label: 'Menu Calendar', icon: 'calendar' },
  { key: 'cart', label: 'Cart', icon: 'cart' },
  { key: 'students', label: 'Students', icon: 'people' },
  { key: 'orders', label: 'Order History', icon: 'history' },
] as const
type TabKey = (typeof tabs)[number]['key']

/** The parent's home: four tabs around one cart. The tab and the child stand in the address. */
export const ParentHome = () => {
  const user = useUser()
  const [query, setQuery] = useSearchParams()
  const ordering = useOrdering(user)
  const tab = tabs.find(({ key }) => key === query.get('tab')) ?? tabs[0]
  const show = (key: TabKey) =>
    setQuery((now) => {
      now.set('tab', key)
      return now
    })
  useEffect(() => {
    const toCart = () => {
      setQuery((now) => {
        now.set('tab', 'cart')
        return now
      })
      window.scrollTo({ top: 0 })
    }
    window.addEventListener(switchToCart, toCart)
    return () => window.removeEventListener(switchToCart, toCart)
  }, [setQuery])
  return (
    <HomeFrame user={user}>
      {(open) => (
        <>
          <PageTitle>{tab.label}</PageTitle>
          {tab.key === 'menu' ? <HowToCard /> : null}
          <div>
            <Tabs
              label="Sections"
              atFoot
              tabs={withCount(ordering.cart.items.length)}
              current={tab.key}
              onChange={show}
            >
              <Suspense>
                <OpenPayments withMeals={tab.key === 'orders'} />
              </Suspense>
              <Suspense fallback={<SkeletonLines lines={4} className="h-24" />}>
                {tab.key === 'menu' ? (
                  <ChildrensMenu ordering={ordering} onAddStudent={() => show('students')} />
                ) : null}
                {tab.key === 'cart' ? (
                  <CartPanel
                    cart={ordering.cart}
                    customer={user}
                    onBrowse={() => show('menu')}
                    onProfile={open.profile}
                  />
                ) : null}
                {tab.key === 'students' ? <StudentsPanel parentId={user.id} /> : null}
                {tab.key === 'orders' ? (
                  <OrderHistory
                    as="parent"
                    emptyAction={<Button onClick={() => show('menu')}>Browse the menu</Button>}
                  />
                ) : null}
              </Suspense>
            </Tabs>
          </div>
        </>
      )}
    </HomeFrame>
  )
}

const withCount = (meals: number) => tabs.map((tab) => (tab.key === 'cart' ? { ...tab, count: meals } : tab))

type ChildrensMenuProps = { ordering: Ordering; onAddStudent: () => void }

const ChildrensMenu = ({ ordering, onAddStudent }: ChildrensMenuProps) => {
  const [query, setQuery] = useSearchParams()
  const students = useQuery(studentsQuery)
  const choose = (id: number) =>
    setQuery(
      (now) => {
        now.set('student', String(id))
        return now
      },
      { replace: true },
    )
  return (
    <QueryResult
      query={students}
      failure="Failed to load students. Please try again."
      waiting={<CalendarSkeleton />}
      isEmpty={(list) => list.length === 0}
      empty={
        <EmptyState
          icon="people"
          title="Who are the meals for?"
          action={<Button onClick={onAddStudent}>Add your first child</Button>}
        >
          Add your children, then choose their meals day by day.
        </EmptyState>
      }
    >
      {(list) => {
        const chosen = list.find(({ id }) => String(id) === query.get('student')) ?? list[0]!
        return (
          <div className="flex flex-col gap-4">
            <ChildPicker eaters={list} chosen={chosen} onChoose={choose} />
            <MenuTab ordering={ordering} eater={chosen} eaters={list} onChoose={choose} />
          </div>
        )
      }}
    </QueryResult>
  )
}

const steps = [
  ['Add children', 'Register each child with name and grade.'],
  ['Browse the menu', 'See what is cooked on each school day.'],
  ['Select and order', 'Choose protein and side, then place the order.'],
] as const

/** The three steps of an order. */
export const HowToCard = () => (
  <Card className="px-3 py-3 md:px-6 md:py-4">
    <h2 className="px-1 font-display text-lg font-semibold">How to Order Meals</h2>
    <ol className="mt-2 grid grid-cols-3 gap-2 md:gap-x-6">
      {steps.map(([title, text], index) => (
        <li key={title} className="flex flex-col items-center gap-1 sm:flex-row sm:items-start sm:gap-3">
          <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-100 text-sm font-bold text-accent-800">
            {index + 1}
          </span>
          <p className="text-sm leading-tight max-sm:text-center">
            <strong className="block sm:leading-7">{title}</strong>
            <span className="hidden text-muted sm:block">{text}</span>
          </p>
        </li>
      ))}
    </ol>
  </Card>
)
