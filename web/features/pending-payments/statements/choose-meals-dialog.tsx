import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import type { PendingGroup } from '#contracts/pending-payments'
import type { confirmStatement, StatementRow } from '#contracts/statements'
import { counted, kwacha } from '../../../lib/format'
import { addressWith } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { EmptyState } from '../../../ui/empty-state'
import { SearchField } from '../../../ui/list-filters'
import { Notice } from '../../../ui/notice'
import { QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { pendingQuery } from '../api'
import { PendingGroupCard } from '../pending-group-card'
import { switched } from '../selection'
import { foundQuery } from './api'
import { type Family, type Meals, type Meal, whatIsLeft } from './chosen-meals'
import { isLapsed, LapsedMeals, mealOf } from './lapsed-meals'
import { familyLabel, rowTime } from './statement-words'

type ChooseMealsDialogProps = {
  row: StatementRow
  /** Confirms it; null where that failed, else what came of it. */
  onConfirm: (meals: Meals) => Promise<ReplyOf<typeof confirmStatement> | null>
  onClose: () => void
}

const mostFamilies = 20

/** Chooses by hand what a payment is for: meals of any families, and whose credit the rest is, or all of it. */
export const ChooseMealsDialog = ({ row, onConfirm, onClose }: ChooseMealsDialogProps) => {
  const search = useSearch((row.match ?? row.named)?.references[0] ?? '')
  const pending = useQuery(pendingQuery({ text: search.text || undefined, limit: mostFamilies }))
  const groups = pending.data?.data ?? []
  const found = useQuery(foundQuery(search.text))
  const [chosen, setChosen] = useState<readonly Meal[]>([])
  const [creditTo, setCreditTo] = useState<number | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const left = whatIsLeft(row.amount, chosen)
  const families = chosen.length > 0 ? left.families : familiesOf(groups, found.data?.families ?? [])
  const selection = new Set(chosen.map(({ id }) => id))
  const choose = (meals: readonly Meal[], ids: readonly string[]) =>
    setChosen(withSwitched(chosen, meals, ids))
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
              No meal that is to be paid matches. Search for less.
            </EmptyState>
          }
        >
          {({ data }) => (
            <ul className="flex max-h-[45vh] flex-col gap-3 overflow-y-auto">
              {data.map((group) => (
                <PendingGroupCard
                  key={group.parentId}
                  group={group}
                  selection={selection}
                  onSwitch={(ids) => choose(mealsOf(group), ids)}
                />
              ))}
            </ul>
          )}
        </QueryResult>
        <LapsedMeals
          orders={found.data?.orders.filter(isLapsed) ?? []}
          selection={selection}
          onSwitch={(order) => choose(mealOf(order), [order.id])}
        />
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

/** A search of the dialog's own; the address of the page stays what it is. */
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

/** Who has yet to pay, and whoever else is found. */
const familiesOf = (groups: readonly PendingGroup[], found: readonly Family[]): Family[] => [
  ...new Map([...groups.map(familyOf), ...found].map((family) => [family.id, family])).values(),
]

const mealsOf = (group: PendingGroup): Meal[] =>
  group.orders.map(({ id, amount }) => ({ id, amount, family: familyOf(group) }))

const withSwitched = (chosen: readonly Meal[], meals: readonly Meal[], ids: readonly string[]): Meal[] => {
  const next = switched(new Set(chosen.map(({ id }) => id)), ids)
  const added = meals.filter(({ id }) => !chosen.some((meal) => meal.id === id))
  return [...chosen, ...added].filter(({ id }) => next.has(id))
}
