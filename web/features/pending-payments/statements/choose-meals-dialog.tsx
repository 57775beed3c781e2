import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import type { find } from '#contracts/find'
import type { PendingGroup, confirmStatement, StatementRow } from '#contracts/transfers'
import { counted, kwacha, longDate } from '../../../lib/format'
import { addressWith } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Checkbox } from '../../../ui/checkbox'
import { Dialog } from '../../../ui/dialog'
import { SearchField } from '../../../ui/filters'
import { Notice } from '../../../ui/notice'
import { EmptyState, QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { type Choosing, useSelection } from '../../../ui/selection'
import { pendingQuery, PendingGroupCard, type PendingOrder, total } from '../pending-groups'
import { foundQuery, familyLabel, rowTime } from './api'

type ChooseMealsDialogProps = {
  row: StatementRow
  onConfirm: (meals: Meals) => Promise<ReplyOf<typeof confirmStatement> | null>
  onClose: () => void
}

const maxFamilies = 20

/** Meals of any families, with the rest or all as credit. */
export const ChooseMealsDialog = ({ row, onConfirm, onClose }: ChooseMealsDialogProps) => {
  const search = useSearch((row.match ?? row.named)?.references[0] ?? '')
  const pending = useQuery(pendingQuery({ text: search.text || undefined, limit: maxFamilies }))
  const groups = pending.data?.data ?? []
  const found = useQuery(foundQuery(search.text))
  const selection = useSelection<Meal>()
  const chosen = [...selection.chosen.values()]
  const [creditTo, setCreditTo] = useState<number | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const left = remainderText(row.amount, chosen)
  const families = chosen.length > 0 ? left.families : familiesOf(groups, found.data?.families ?? [])
  const surplusTo = families.find(({ id }) => id === creditTo)?.id
  const needsFamily = chosen.length === 0 || (left.surplus > 0 && families.length > 1)
  const confirm = async () => {
    setBusy(true)
    const result = await onConfirm({
      orderIds: chosen.map(({ id }) => id),
      ...(needsFamily && surplusTo !== undefined ? { surplusTo } : {}),
    })
    setBusy(false)
    const skipped = result?.skipped[0]
    if (skipped) setProblem(skipped.message)
    else if (result) onClose()
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`What does ${kwacha(row.amount)} pay?`}
      description={[row.payer, row.phone, rowTime(row.at), row.text].filter(Boolean).join(' · ')}
      actions={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            icon="check"
            busy={busy}
            disabled={left.missing > 0 || (needsFamily && surplusTo === undefined)}
            onClick={() => void confirm()}
          >
            {chosen.length > 0 ? `Confirm ${counted(chosen.length, 'meal')}` : 'Make It Credit'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SearchField
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog begins with what is to be done in it
          autoFocus
          list={search.list}
          name="text"
          label="Search parent, student, meal or reference"
        />
        <QueryResult
          query={pending}
          failure="Failed to fetch pending payments"
          isEmpty={({ data }) => data.length === 0}
          empty={
            <EmptyState title="No results found" icon="wallet">
              No unpaid meal matches. Try fewer letters.
            </EmptyState>
          }
        >
          {({ data }) => (
            <ul className="flex max-h-[45vh] flex-col gap-3 overflow-y-auto">
              {data.map((group) => (
                <PendingGroupCard
                  key={group.parentId}
                  group={group}
                  selection={{
                    chosen: selection.chosen,
                    toggle: (orders) => selection.toggle(mealsOf(group, orders)),
                  }}
                />
              ))}
            </ul>
          )}
        </QueryResult>
        <LapsedMeals orders={found.data?.orders.filter(isLapsed) ?? []} selection={selection} />
        <p aria-live="polite" className="font-semibold">
          {left.words}
        </p>
        {needsFamily && families.length > 0 ? (
          <Select
            label={
              chosen.length > 0
                ? `Whose credit is the ${kwacha(left.surplus)} left over?`
                : `Or make all ${kwacha(row.amount)} the credit of`
            }
            placeholder="Choose a family"
            value={surplusTo === undefined ? '' : String(surplusTo)}
            options={families.map((family) => ({ value: String(family.id), label: familyLabel(family) }))}
            onChange={(event) => setCreditTo(Number(event.target.value))}
          />
        ) : null}
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
      </div>
    </Dialog>
  )
}

/** Not in the address. */
const useSearch = (first: string) => {
  const [address, setAddress] = useState(() => new URLSearchParams({ text: first }))
  return {
    text: address.get('text') ?? '',
    list: {
      address,
      onTyped: (changes: Record<string, string | null>) => setAddress(addressWith(address, changes)),
    },
  }
}

const familyOf = ({ parentId, parentName, parentUsername }: PendingGroup): Family => ({
  id: parentId,
  name: parentName,
  username: parentUsername,
})

/** Families with unpaid meals, and others found. */
const familiesOf = (groups: readonly PendingGroup[], found: readonly Family[]): Family[] => [
  ...new Map([...groups.map(familyOf), ...found].map((family) => [family.id, family])).values(),
]

const mealsOf = (group: PendingGroup, orders: readonly PendingOrder[]): Meal[] =>
  orders.map(({ id, amount }) => ({ id, amount, family: familyOf(group) }))

type FoundOrder = ReplyOf<typeof find>['orders'][number]

/** Cancelled unpaid; a late payment may restore it. */
const isLapsed = ({ status, paymentStatus }: FoundOrder): boolean =>
  status === 'cancelled' && paymentStatus === 'pending'

const mealOf = ({ id, price, familyId, username }: FoundOrder): Meal[] =>
  familyId === null ? [] : [{ id, amount: price, family: { id: familyId, name: '', username } }]

type LapsedMealsProps = {
  orders: readonly FoundOrder[]
  selection: Choosing<Meal>
}

/** Paid in time they are restored, else become credit. */
const LapsedMeals = ({ orders, selection }: LapsedMealsProps) =>
  orders.length === 0 ? null : (
    <fieldset className="rounded-md border border-line px-3 pb-2">
      <legend className="px-1 text-sm font-semibold">Cancelled before they were paid</legend>
      {orders.map((order) => (
        <Checkbox
          key={order.id}
          checked={selection.chosen.has(order.id)}
          onChange={() => selection.toggle(mealOf(order))}
          className="flex! w-full py-1 text-sm"
          label={`${order.menuItem.name} for ${order.student.name}, ${longDate(order.mealDate)}, ${order.username}, ${order.reference}: ${kwacha(order.price)}`}
        />
      ))}
    </fieldset>
  )

type Family = { id: number; name: string; username: string }
type Meal = { id: string; amount: number; family: Family }
type Meals = { orderIds: string[]; surplusTo?: number }

/** Surplus (credit) or shortfall in kwacha and words. `families` are the meals' own. */
const remainderText = (amount: number, meals: readonly Meal[]) => {
  const rest = (Math.round(amount * 100) - Math.round(total(meals) * 100)) / 100
  const families = [...new Map(meals.map(({ family }) => [family.id, family])).values()]
  const left = { families, surplus: Math.max(0, rest), missing: Math.max(0, -rest) }
  return { ...left, words: wordsOf(left, amount, meals) }
}

type Left = { families: readonly Family[]; surplus: number; missing: number }

const wordsOf = ({ families, surplus, missing }: Left, amount: number, meals: readonly Meal[]): string => {
  if (meals.length === 0) return 'No meals chosen'
  const chosen = `${counted(meals.length, 'meal')}, ${kwacha(total(meals))} of ${kwacha(amount)}`
  if (missing > 0) return `${chosen}: ${kwacha(missing)} is missing. Choose fewer meals.`
  if (surplus === 0) return `${chosen}: it fits`
  const [only, ...more] = families
  return more.length === 0 && only
    ? `${chosen}: the other ${kwacha(surplus)} becomes credit of ${familyLabel(only)}`
    : `${chosen}: ${kwacha(surplus)} is left over`
}
