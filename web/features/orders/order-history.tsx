import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Order } from '#contracts/ordering'
import { messageOf } from '../../lib/call'
import { counted, dayName, gradeLabel, kwacha } from '../../lib/format'
import { toast } from '../../lib/toast'
import { breakpoints, useNarrowerThan } from '../../lib/use-narrower-than'
import { Button } from '../../ui/button'
import { Card, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { QueryFaces } from '../../ui/query-faces'
import { cancel, listOf, ordersQuery } from './api'
import { groupOrders } from './order-groups'
import type { OrderGroup } from './order-groups'
import { OrderCards, OrderTable } from './order-table'

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

/** Every order of the account by student, with what may still be cancelled. */
export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery({
    ...ordersQuery(as),
    refetchInterval: ({ state }) => untilAnHourEnds(state.data ? listOf(state.data) : []),
  })
  const [asked, setAsked] = useState<Order | null>(null)
  const cancelling = useMutation({
    ...cancel,
    onSuccess: () => toast({ title: 'Order cancelled' }),
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, 'Failed to cancel order'), kind: 'error' }),
    onSettled: async (...outcome) => {
      await cancel.onSettled?.(...outcome)
      setAsked(null)
    },
  })
  return (
    <div className="flex flex-col gap-5">
      <Notice>Orders can only be cancelled within 1 hour of placing the order</Notice>
      <QueryFaces
        query={orders}
        failure="Failed to fetch orders"
        isEmpty={(list) => list.length === 0}
        empty={
          <EmptyState icon="history" title="No orders yet" action={emptyAction}>
            What you order appears here.
          </EmptyState>
        }
      >
        {(list) => <Groups orders={list} onCancel={setAsked} />}
      </QueryFaces>
      <ConfirmDialog
        open={asked !== null}
        title="Cancel this order?"
        confirm="Cancel Order"
        cancel="Keep Order"
        danger
        busy={cancelling.isPending}
        onConfirm={() => asked && cancelling.mutate(asked.id)}
        onClose={() => setAsked(null)}
      >
        {asked
          ? `${asked.menuItem.name} for ${asked.student.name}, week ${asked.weekNumber}, ${dayName(asked.dayOfWeek)}.`
          : null}
      </ConfirmDialog>
    </div>
  )
}

const leastWaitMs = 30_000

/**
 * Whether an order may still be cancelled is the server's to say: it is asked again when the hour of the next one ends,
 * in ms from now; never when none can be cancelled. At least half a minute, for the clock of a phone may be ahead.
 */
const untilAnHourEnds = (orders: readonly Order[]): number | false => {
  const ends = orders.flatMap((order) => (order.allowed.cancel ? [Date.parse(order.cancellableUntil)] : []))
  // A second later: at the very end it may still be cancelled.
  return ends.length > 0 && Math.max(leastWaitMs, Math.min(...ends) - Date.now() + 1_000)
}

type GroupsProps = { orders: Order[]; onCancel: (order: Order) => void }

const Groups = ({ orders, onCancel }: GroupsProps) =>
  groupOrders(orders).map((group) => <Group key={group.studentId} group={group} onCancel={onCancel} />)

const shownAtFirst = 20

/** One student; of a long history the newest orders, the others on request. */
const Group = ({ group, onCancel }: { group: OrderGroup; onCancel: (order: Order) => void }) => {
  const [all, setAll] = useState(false)
  const List = useNarrowerThan(breakpoints.table) ? OrderCards : OrderTable
  const older = all ? 0 : Math.max(0, group.orders.length - shownAtFirst)
  return (
    <Card className="overflow-hidden">
      <CardHeading
        title={group.name}
        hint={`${gradeLabel(group.grade)} · ${counted(group.orders.length, 'order')}`}
        actions={
          <p className="text-sm text-muted">
            Total Spent <span className="money font-semibold text-ink">{kwacha(group.spent)}</span>
          </p>
        }
      />
      <div className="mt-3 border-t border-line">
        <List
          label={`Orders for ${group.name}`}
          orders={older > 0 ? group.orders.slice(0, shownAtFirst) : group.orders}
          onCancel={onCancel}
        />
      </div>
      {older > 0 ? (
        <div className="border-t border-line p-2">
          <Button variant="ghost" className="w-full" onClick={() => setAll(true)}>
            {`Show ${counted(older, 'older order')}`}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}
