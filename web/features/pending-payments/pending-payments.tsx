import { useQuery, useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import {
  pendingPayments,
  transferMethods,
  type PendingSort,
  pendingSorts,
  type PendingGroup,
} from '#contracts/transfers'
import { counted, kwacha, payByLabel } from '../../lib/format'
import { readFilters, type Sorting, useListAddress } from '../../lib/list-address'
import { adminToast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { bothWays, SearchField, SortSelect } from '../../ui/filters'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { PagedList, ListCount } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import { SelectBox, useSelection } from '../../ui/selection'
import type { SortProps } from '../../ui/sort-head'
import { pendingQuery, total, type PendingOrder, selectedIn, verifyOrders } from './pending-groups'
import { TransferTable } from './transfer-rows'
import { useVerifiedToday, VerifiedToday } from './verified-today'

const longestWaiting: Sorting<PendingSort> = { sort: 'waiting', direction: 'asc' }

const orders = [
  ...bothWays<PendingSort>('waiting', 'Waiting', 'age'),
  ...bothWays<PendingSort>('parent', 'Parent', 'text'),
  ...bothWays<PendingSort>('amount', 'Amount', 'number'),
  ...bothWays<PendingSort>('orders', 'Orders', 'number'),
]

export const PendingPayments = () => {
  const list = useListAddress(pendingSorts, longestWaiting)
  const filters = readFilters(list.address, pendingPayments.query, ['text'])
  const query = { ...list.query, ...filters }
  const pending = useQuery(pendingQuery(query))
  const today = useVerifiedToday()
  return (
    <Card>
      <CardBody className="flex flex-col gap-2 sm:py-3!">
        <div className="flex flex-wrap items-end gap-3">
          <SearchField
            list={list}
            name="text"
            label="Search parent, student, meal or reference"
            className="min-w-0 grow basis-64 xl:flex-row! xl:items-center xl:[&>input]:grow"
          />
          <SortSelect choices={orders} className="w-full sm:w-56 xl:hidden" {...list.sorted} />
        </div>
        <VerifiedToday verified={today.verified} onUndone={today.remove} />
        <PagedList
          query={pending}
          list={list}
          pages={({ pagination: { totalGroups, totalPages } }) => ({ total: totalGroups, totalPages })}
          failure="Failed to fetch pending payments"
          empty={<NothingPending searched={filters.text !== undefined} />}
        >
          {({ data }, parents) => (
            <PendingList
              key={JSON.stringify(query)}
              groups={data}
              parents={parents}
              sorted={list.sorted}
              onVerified={(orders) =>
                today.add({ orderIds: orders.map(({ id }) => id), amount: total(orders) })
              }
            />
          )}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NothingPending = ({ searched }: { searched: boolean }) =>
  searched ? (
    <EmptyState title="No results found" icon="wallet">
      No pending payment matches. Try a shorter search.
    </EmptyState>
  ) : (
    <EmptyState title="No Pending Payments" icon="wallet">
      All payments have been verified
    </EmptyState>
  )

type PendingListProps = {
  groups: PendingGroup[]
  /** On all pages. */
  parents: number
  sorted: SortProps<PendingSort>
  onVerified: (orders: PendingOrder[]) => void
}

const PendingList = ({ groups, parents, sorted, onVerified }: PendingListProps) => {
  const selection = useSelection<PendingOrder>()
  const [asked, setAsked] = useState<PendingOrder[] | null>(null)
  const chosen = selectedIn(groups, selection)
  const all = groups.flatMap((group) => group.orders)
  return (
    <>
      <ListCount>{counted(parents, 'parent')}</ListCount>
      <TransferTable groups={groups} selection={selection} sorted={sorted} />
      <VerifyBar
        selectAll={
          <SelectBox
            label={chosen.length === all.length ? 'Deselect all' : 'Select all'}
            rows={all}
            selection={selection}
            className="font-semibold"
          />
        }
        count={chosen.length}
        amount={total(chosen)}
        onVerify={() => (chosen.length === 0 ? notifyNothingSelected() : setAsked(chosen))}
      />
      {asked ? (
        <VerifyDialog
          orders={asked}
          onVerified={() => {
            onVerified(asked)
            selection.clear()
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  )
}

const notifyNothingSelected = () =>
  adminToast({ title: 'No Orders Selected', text: 'Please select orders to verify', kind: 'error' })

type VerifyBarProps = { selectAll: ReactNode; count: number; amount: number; onVerify: () => void }

const VerifyBar = ({ selectAll, count, amount, onVerify }: VerifyBarProps) => (
  <div className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-1.5 shadow-raised sm:px-4">
    {selectAll}
    <p aria-live="polite" className="flex-1 text-sm whitespace-nowrap max-sm:text-right">
      {count === 0 ? (
        <span className="text-muted">Nothing selected</span>
      ) : (
        <strong className="money">{`${counted(count, 'order')}, ${kwacha(amount)}`}</strong>
      )}
    </p>
    <Button icon="check" className="max-sm:w-full max-sm:px-2! max-sm:text-sm" onClick={onVerify}>
      Verify Selected Payments
    </Button>
  </div>
)

/** Confirms one family's orders where they are shown; undone under Pending Payments. */
export const ConfirmPayment = ({ orders, about }: { orders: Confirmable[]; about: string }) => {
  const [asked, setAsked] = useState(false)
  const today = useVerifiedToday()
  return (
    <>
      <Button size="sm" icon="check" aria-label={`Confirm payment ${about}`} onClick={() => setAsked(true)}>
        {`Confirm ${kwacha(total(orders))}`}
      </Button>
      {asked ? (
        <VerifyDialog
          orders={orders}
          onVerified={() => today.add({ orderIds: orders.map(({ id }) => id), amount: total(orders) })}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  )
}

type Confirmable = Pick<PendingOrder, 'id' | 'amount'>

type VerifyDialogProps = {
  orders: Confirmable[]
  onVerified: () => void
  onClose: () => void
}

const VerifyDialog = ({ orders, onVerified, onClose }: VerifyDialogProps) => {
  const verifying = useMutation(verifyOrders)
  return (
    <FormDialog
      title={`Mark ${counted(orders.length, 'order')}, ${kwacha(total(orders))}, as paid?`}
      description="Please make sure that this money has arrived. It can be undone until the end of the day."
      submit="Yes, They Are Paid"
      schema={typed}
      defaultValues={{ method: '', transactionId: '', note: '' }}
      onSave={async ({ method, transactionId, note }) => {
        const body = {
          orderIds: orders.map(({ id }) => id),
          ...(method ? { method } : {}),
          ...(transactionId ? { transactionId } : {}),
          ...(note ? { note } : {}),
        }
        const { updated, message } = await verifying.mutateAsync(body)
        const text = updated === orders.length ? `${counted(updated, 'order')} marked paid` : message
        adminToast({ title: 'Payments Verified', text })
        onVerified()
      }}
      failed="Failed to verify payments"
      onClose={onClose}
      className="grid gap-4"
    >
      <FormField
        name="method"
        label="How it was paid"
        options={[
          { value: '', label: 'As chosen with the order' },
          ...transferMethods.map((value) => ({ value, label: payByLabel(value) })),
        ]}
      />
      <FormField
        name="transactionId"
        label="Transaction id (optional)"
        hint="As written in the message or statement; it can pay only once"
        maxLength={100}
        autoComplete="off"
      />
      <FormField name="note" label="Note (optional)" rows={2} maxLength={500} />
    </FormDialog>
  )
}

const typed = z.object({
  method: z.enum(['', ...transferMethods]),
  transactionId: z.string().check(z.trim(), z.maxLength(100)),
  note: z.string().check(z.trim(), z.maxLength(500)),
})
