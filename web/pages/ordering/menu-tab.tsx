import { useQuery } from '@tanstack/react-query'
import { totalOf } from '../../features/cart/cart-items'
import { CartBar, FloatingCart } from '../../features/cart/cart-buttons'
import { cutoffQuery } from '../../features/menu/api'
import type { Eater } from '../../features/menu/day-face'
import { MenuCalendar } from '../../features/menu/menu-calendar'
import { StudentSwitcher } from '../../features/menu/student-switcher'
import { clockTime } from '../../lib/format'
import { Notice } from '../../ui/notice'
import { QueryFaces } from '../../ui/query-faces'
import { CalendarSkeleton } from './calendar-skeleton'
import type { Ordering } from './use-ordering'

type MenuTabProps = {
  ordering: Ordering
  eater: Eater
  eaters: readonly Eater[]
  onChoose: (id: number) => void
}

/** The calendar of one child, and over its lower edge what the thumb needs: child, cart, total. */
export const MenuTab = ({ ordering, eater, eaters, onChoose }: MenuTabProps) => {
  const { cart, orders, calendar } = ordering
  return (
    <div className="flex flex-col gap-5 pb-36">
      <CutoffLine />
      {orders.error ? <Notice tone="warning">Failed to fetch orders</Notice> : null}
      <QueryFaces
        query={calendar}
        failure="Failed to load the menu. Please try again."
        waiting={<CalendarSkeleton />}
      >
        {([items, cycles]) => (
          <MenuCalendar
            cycles={cycles}
            items={items}
            eater={eater}
            orders={orders.data ?? []}
            cart={cart.items}
            onAdd={(day, choice) => ordering.add(eater, day, choice)}
            onRemove={(day) => ordering.remove(eater, day)}
          />
        )}
      </QueryFaces>
      <div className="bottom-safe pointer-events-none fixed inset-x-0 z-20 mx-auto flex max-w-page flex-col items-end gap-3 px-4">
        <div className="flex max-w-full items-center gap-3">
          <StudentSwitcher eaters={eaters} chosen={eater} onChoose={onChoose} />
          <FloatingCart count={cart.items.length} />
        </div>
        <CartBar count={cart.items.length} total={totalOf(cart.items)} />
      </div>
    </div>
  )
}

const CutoffLine = () => {
  const cutoff = useQuery(cutoffQuery)
  if (cutoff.error) return <p className="text-sm text-muted">Failed to fetch cutoff time settings</p>
  return (
    <p className="min-h-6 text-sm text-muted">
      {cutoff.data
        ? `Meals for the same day can be ordered until ${clockTime(cutoff.data.cutoffHour, cutoff.data.cutoffMinute)}.`
        : null}
    </p>
  )
}
