import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { recoveryStatuses } from '#contracts/payments-console'
import type { FailedOrder } from '#contracts/payments-console'
import { kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { QueryFaces } from '../../ui/query-faces'
import { Select } from '../../ui/select'
import { StackedTable } from '../../ui/stacked-table'
import { failedOrdersQuery } from './api'
import { FailedAttempt } from './failed-attempt'
import { RecoveryRow } from './recovery-row'

type OrderRecoveryProps = { onHistory: (asked: { attemptId: string; title: string }) => void }

/** Payments that did not become the orders they should have, filtered by status in the address. */
export const OrderRecovery = ({ onHistory }: OrderRecoveryProps) => {
  const [search, setSearch] = useSearchParams()
  const status = recoveryStatuses.find((one) => one === search.get('status')) ?? null
  const orders = useQuery(failedOrdersQuery(status))
  const filter = (chosen: string) => {
    const next = new URLSearchParams(search)
    if (chosen) next.set('status', chosen)
    else next.delete('status')
    setSearch(next, { replace: true })
  }
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <Select
            label="Status"
            className="w-full sm:w-96"
            options={[
              { value: '', label: 'All statuses' },
              ...recoveryStatuses.map((one) => ({ value: one, label: one })),
            ]}
            value={status ?? ''}
            onChange={(event) => filter(event.target.value)}
          />
          <Button
            variant="secondary"
            icon="refresh"
            busy={orders.isFetching}
            onClick={() => void orders.refetch()}
          >
            Refresh
          </Button>
        </div>
        <QueryFaces
          query={orders}
          failure="Failed to fetch failed orders"
          isEmpty={(list) => list.length === 0}
          empty={<NoFailedOrders filtered={status !== null} />}
        >
          {(list) => <RecoveryList orders={list} onHistory={onHistory} />}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const columns = [
  { label: 'Date' },
  { label: 'Customer' },
  { label: 'Amount', className: 'text-right' },
  { label: 'Status' },
  { label: 'Error' },
  { label: 'Payment ref', className: 'w-33' },
  { label: 'Actions', hideLabel: true },
]

type RecoveryListProps = OrderRecoveryProps & { orders: FailedOrder[] }

const RecoveryList = ({ orders, onHistory }: RecoveryListProps) => {
  const [opened, setOpened] = useState<string | null>(null)
  const order = orders.find(({ id }) => id === opened)
  return (
    <>
      <StackedTable label="Failed orders" columns={columns}>
        {orders.map((one) => (
          <RecoveryRow key={one.id} order={one} onOpen={() => setOpened(one.id)} />
        ))}
      </StackedTable>
      {order ? (
        <FailedAttempt
          key={order.id}
          order={order}
          onHistory={() =>
            onHistory({ attemptId: order.id, title: `${order.customer}, ${kwacha(order.amount)}` })
          }
          onClose={() => setOpened(null)}
        />
      ) : null}
    </>
  )
}

const NoFailedOrders = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No failed orders found" icon="check">
    {filtered ? 'No order has this status.' : 'Every payment has become the orders it was made for.'}
  </EmptyState>
)
