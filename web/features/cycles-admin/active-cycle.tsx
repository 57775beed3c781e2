import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrderCycle } from '#contracts/cycles'
import { counted, longDay } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { notifyOutcome } from '../../lib/notify-outcome'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { type QueryState, QueryResult } from '../../ui/query-result'
import { endCycle, historyQuery } from './api'
import { cycleDate } from './cycle-calendar'
import { CycleDays } from './days/cycle-days'
import { Facts } from './facts'

type ActiveCycleProps = { cycles: QueryState<OrderCycle[]>; onCreate: () => void }

/** The cycle that takes orders now, or the way to start one. */
export const ActiveCycle = ({ cycles, onCreate }: ActiveCycleProps) => {
  const active = cycles.data?.find((cycle) => cycle.isActive)
  return (
    <Card>
      <CardHeading title="Active Order Cycle" actions={active ? <Deactivate cycle={active} /> : undefined} />
      <CardBody>
        <p className="mb-4 text-sm text-muted">
          New cycles must start on a Monday and run for 4 weeks or 6 weeks.
        </p>
        <QueryResult
          query={cycles}
          failure="Failed to fetch cycles"
          isEmpty={() => active === undefined}
          empty={<NoneActive onCreate={onCreate} />}
        >
          {() => (active ? <CycleFacts cycle={active} /> : null)}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const NoneActive = ({ onCreate }: { onCreate: () => void }) => (
  <EmptyState
    title="No active order cycle. Create a new cycle to start accepting orders."
    icon="calendar"
    action={
      <Button icon="plus" onClick={onCreate}>
        Create New Order Cycle
      </Button>
    }
  />
)

const CycleFacts = ({ cycle }: { cycle: OrderCycle }) => {
  const blocked = cycle.blockedDays
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          ['Length', `${cycle.cycleLength} weeks`],
          ['Start date', longDay(cycle.startDate)],
          ['End date', longDay(cycle.endDate)],
          ['Created', dateAndTime(cycle.createdAt)],
        ]}
      />
      <p className="flex flex-wrap gap-2">
        <Badge tone="brand" icon="check">
          Accepting orders
        </Badge>
      </p>
      {blocked.length > 0 ? (
        <Notice tone="warning" title={counted(blocked.length, 'blocked day')}>
          <p>{blocked.map(({ week, day }) => longDay(cycleDate(cycle.startDate, week, day))).join(' · ')}</p>
        </Notice>
      ) : null}
      <CycleDays cycleId={cycle.id} weeks={cycle.cycleLength} />
    </div>
  )
}

const Deactivate = ({ cycle }: { cycle: OrderCycle }) => {
  const [asking, setAsking] = useState(false)
  const end = useMutation(endCycle)
  const orders = useOrdersOf(cycle, asking)
  const deactivate = async () => {
    const words = { done: 'Order cycle deactivated', failed: 'Failed to deactivate order cycle' }
    await notifyOutcome(end.mutateAsync({ params: { id: cycle.id } }), words)
    setAsking(false)
  }
  return (
    <>
      <Button variant="secondary" size="sm" icon="close" onClick={() => setAsking(true)}>
        Deactivate
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title="Deactivate this order cycle?"
        confirm="Deactivate"
        busy={end.isPending}
        onConfirm={() => void deactivate()}
        onClose={() => setAsking(false)}
      >
        Families can place no more orders until a cycle is active again.{' '}
        {orders === undefined
          ? 'Orders already placed stay and are cooked.'
          : `${counted(orders, 'order')} already placed ${orders === 1 ? 'stays and is' : 'stay and are'} cooked.`}{' '}
        You can reactivate this cycle from the history.
      </ConfirmDialog>
    </>
  )
}

/** How many orders the cycle has, which is on the first page; undefined until that is known. */
const useOrdersOf = (cycle: OrderCycle, asked: boolean): number | undefined =>
  useQuery({ ...historyQuery({ page: 1 }), enabled: asked }).data?.data.find(
    ({ cycleId }) => cycleId === cycle.id,
  )?.totalOrders
