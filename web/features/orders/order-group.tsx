import { useEffect, useRef, useState } from 'react'
import type { Order } from '#contracts/ordering'
import { counted, gradeLabel, kwacha } from '../../lib/format'
import { breakpoints, useNarrowerThan } from '../../lib/use-narrower-than'
import { Button } from '../../ui/button'
import { Card, CardHeading } from '../../ui/card'
import { OrderCards } from './order-cards'
import type { OrderGroup } from './order-groups'
import { OrderTable } from './order-table'

type StudentOrdersProps = {
  group: OrderGroup
  onCancel: (order: Order) => void
}

/** The orders of one student: those of late and all that may still be cancelled, older ones on request. */
export const StudentOrders = ({ group, onCancel }: StudentOrdersProps) => {
  const List = useNarrowerThan(breakpoints.mobile) ? OrderCards : OrderTable
  const { shown, showMore, frame } = useUnfolding(group.orders)
  const older = group.orders.length - shown
  return (
    <Card className="overflow-hidden">
      <CardHeading
        title={group.name}
        hint={`${gradeLabel(group.grade)} · ${counted(group.orders.length, 'order')}`}
        actions={
          <p className="text-right text-sm text-muted">
            Total Spent
            <span className="money block text-base font-semibold text-ink"> {kwacha(group.spent)}</span>
          </p>
        }
      />
      <div ref={frame} className="mt-3 border-t border-line">
        <List label={`Orders for ${group.name}`} orders={group.orders.slice(0, shown)} onCancel={onCancel} />
      </div>
      {older > 0 ? (
        <div className="border-t border-line p-2">
          <Button variant="ghost" icon="chevron-down" className="w-full" onClick={showMore}>
            {`Show ${counted(Math.min(step, older), 'older order')}`}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}

const first = 10
const step = 30

/** How many are shown; what is unfolded stays, and the first of what came gets the focus. */
const useUnfolding = (orders: readonly Order[]) => {
  const [shown, setShown] = useState(() =>
    Math.max(first, 1 + orders.findLastIndex(({ allowed }) => allowed.cancel)),
  )
  const frame = useRef<HTMLDivElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current !== shown)
      frame.current?.querySelectorAll<HTMLElement>('[data-order]')[before.current]?.focus()
    before.current = shown
  }, [shown])
  return {
    shown: Math.min(shown, orders.length),
    showMore: () => setShown(shown + step),
    frame,
  }
}
