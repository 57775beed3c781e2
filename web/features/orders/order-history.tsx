import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Order } from '#contracts/ordering'
import { messageOf } from '../../lib/call'
import { counted, dayName, gradeLabel, kwacha } from '../../lib/format'
import { toast } from '../../lib/toast'
import { breakpoints, useNarrowerThan } from '../../lib/use-narrower-than'
import { Card, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { QueryFaces } from '../../ui/query-faces'
import { cancel, ordersQuery } from './api'
import { groupOrders } from './order-groups'
import { OrderCards, OrderTable } from './order-table'

type OrderHistoryProps = { as: 'parent' | 'teacher'; emptyAction?: ReactNode }

/** Every order of the account by student, with what may still be cancelled. */
export const OrderHistory = ({ as, emptyAction }: OrderHistoryProps) => {
  const orders = useQuery(ordersQuery(as))
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

const Groups = ({ orders, onCancel }: { orders: Order[]; onCancel: (order: Order) => void }) => {
  const List = useNarrowerThan(breakpoints.table) ? OrderCards : OrderTable
  return groupOrders(orders).map((group) => (
    <Card key={group.studentId} className="overflow-hidden">
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
        <List label={`Orders for ${group.name}`} orders={group.orders} onCancel={onCancel} />
      </div>
    </Card>
  ))
}
