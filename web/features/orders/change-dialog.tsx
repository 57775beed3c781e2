import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { pricedFor, type myDiscounts } from '#contracts/discounts'
import type { ReplyOf } from '#contracts/endpoint'
import {
  allConflicts,
  conflictFacts,
  conflictFor,
  conflictReason,
  markOf,
  type MealMarks,
} from '#contracts/health'
import type { Order } from '#contracts/ordering'
import { messageOf, noAnswerCame } from '../../lib/call'
import { capitalised, kwacha, onlyOne, missingChoicesText } from '../../lib/format'
import { toast } from '../../lib/toast'
import { menuQuery } from '../../queries/catalogue'
import { cyclesQuery, daysOf, isBeforeCutoff } from '../../queries/cycles'
import { mealMarksQuery } from '../../queries/identity'
import { discountsQuery } from '../../queries/ordering'
import { Mark } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { TextArea } from '../../ui/field'
import { combinedQuery, QueryResult } from '../../ui/query-result'
import { Select } from '../../ui/select'
import { change } from './api'
import { mealDay } from './order-text'

/** A dish that was pressed, with what goes with it. */
type Wanted = { item: { id: number }; category: string | null; sideDish: string | null }

type ChangeDialogProps = { order: Order; to?: Wanted; onClose: () => void }

/** The price difference is settled with credit. */
export const ChangeDialog = ({ order, to, onClose }: ChangeDialogProps) => {
  const menu = combinedQuery(useQuery(menuQuery), useQuery(discountsQuery))
  const day = daysOf(useQuery(cyclesQuery).data).find(({ date }) => date === order.mealDate)
  return (
    <Dialog
      open
      title="Change this meal"
      description={`${order.student.name}, ${mealDay(order)}`}
      onClose={onClose}
    >
      <QueryResult query={menu} failure="Failed to fetch the menu">
        {([items, { children }]) => (
          <ChangeForm
            order={order}
            to={to ?? { ...order, item: order.menuItem }}
            items={items
              .filter((item) => isOffered(item, order) && isBeforeCutoff(day ?? {}, item.leadDays))
              .map((item) => pricedFor(item, ownOf(children, order)))}
            onDone={onClose}
          />
        )}
      </QueryResult>
    </Dialog>
  )
}

const ownOf = (children: ReplyOf<typeof myDiscounts>['children'], { studentId }: Order) =>
  children.find((child) => child.studentId === studentId)?.discountPercentage ?? 0

/** The server validates it as an order. */
const isOffered = (item: MenuItem, { weekNumber, dayOfWeek, menuItem }: Order) =>
  item.isAvailable &&
  !item.isArchived &&
  item.type === menuItem.type &&
  item.weekNumbers.includes(weekNumber) &&
  item.daysOfWeek.includes(dayOfWeek)

/** The ordered item keeps its price. */
const priceOf = (item: MenuItem, order: Order) =>
  item.id === order.menuItem.id ? order.discountedPrice : Number(item.discountPrice ?? item.price)

const choicesOf = (names: readonly string[]) =>
  names.map((name) => ({ value: name, label: capitalised(name) }))

type ChangeFormProps = { order: Order; to: Wanted; items: MenuItem[]; onDone: () => void }

const ChangeForm = ({ order, to, items, onDone }: ChangeFormProps) => {
  const hint = useId()
  const [itemId, setItemId] = useState(to.item.id)
  const [category, setCategory] = useState(to.category ?? '')
  const [side, setSide] = useState(to.sideDish ?? '')
  const [comments, setComments] = useState(order.comments)
  const marks = useQuery(mealMarksQuery).data
  const [accepted, setAccepted] = useState<number | null>(null)
  const eater = { ...order.student, id: order.studentId }
  const offered = items.filter((one) => markOf(marks, eater, one).rule !== 'block')
  const item = offered.find(({ id }) => id === itemId)
  const proteins = item?.categories ?? []
  const sides = order.student.grade === 'teacher' ? [] : (item?.sideDishes ?? [])
  const protein = proteins.includes(category) ? category : onlyOne(proteins)
  const sideDish = sides.includes(side) ? side : onlyOne(sides)
  const changing = useMutation({
    ...change,
    onSuccess: () => {
      toast({ title: 'Meal changed' })
      onDone()
    },
    onError: (error) =>
      toast({
        title: 'Error',
        text: messageOf(error, 'Failed to change the meal', noAnswerCame),
        kind: 'error',
      }),
  })
  const mark = item && markOf(marks, eater, item)
  const isAccepted = accepted === itemId
  const consent = `${order.student.name} has it all the same`
  const missing =
    missingChoicesText([
      !item && 'a meal',
      proteins.length > 0 && !protein && 'a protein',
      sides.length > 0 && !sideDish && 'a side dish',
    ]) || (mark?.conflict && !isAccepted ? `Tick “${consent}” first` : '')
  const whose = `for ${order.student.name} on ${mealDay(order)}`
  const dish = `of ${item?.name ?? 'the meal'} ${whose}`
  const send = () => {
    if (!item) return
    const body = {
      menuItemId: item.id,
      category: protein || null,
      sideDish: sideDish || null,
      comments,
      ...(mark?.conflict && { acknowledged: true }),
      discountedPrice: priceOf(item, order),
    }
    changing.mutate({ params: { id: order.id }, body })
  }
  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Meal"
        aria-label={`Meal ${whose}`}
        placeholder="Choose a meal"
        value={item ? String(item.id) : ''}
        options={offered.map((one) => ({
          value: String(one.id),
          label: `${one.name} · ${kwacha(priceOf(one, order))}`,
        }))}
        onChange={(event) => setItemId(Number(event.target.value))}
      />
      <LeftOut meals={items.filter((one) => !offered.includes(one))} order={order} marks={marks} />
      {proteins.length > 0 ? (
        <Select
          label="Protein"
          aria-label={`Protein ${dish}`}
          placeholder="Choose a protein"
          value={protein}
          options={choicesOf(proteins)}
          onChange={(event) => setCategory(event.target.value)}
        />
      ) : null}
      {sides.length > 0 ? (
        <Select
          label="Side dish"
          aria-label={`Side dish ${dish}`}
          placeholder="Choose a side dish"
          value={sideDish}
          options={choicesOf(sides)}
          onChange={(event) => setSide(event.target.value)}
        />
      ) : null}
      <TextArea
        label="Special instructions"
        aria-label={`Special instructions ${whose}`}
        value={comments}
        maxLength={500}
        onChange={(event) => setComments(event.target.value)}
      />
      {item ? <p className="text-sm text-muted">{priceText(order, priceOf(item, order))}</p> : null}
      {mark?.unstated ? <Mark>{mark.unstated}</Mark> : null}
      {mark?.conflict ? (
        <>
          <Mark danger>{mark.conflict}</Mark>
          <Checkbox
            className="min-h-11"
            label={consent}
            checked={isAccepted}
            onChange={() => setAccepted(isAccepted ? null : itemId)}
          />
        </>
      ) : null}
      {missing ? (
        <p id={hint} className="text-sm text-muted">
          {missing}
        </p>
      ) : null}
      <DialogFoot>
        <Button
          onClick={send}
          disabled={missing !== ''}
          aria-describedby={missing ? hint : undefined}
          busy={changing.isPending}
        >
          Change Meal
        </Button>
      </DialogFoot>
    </div>
  )
}

type LeftOutProps = { meals: readonly MenuItem[]; order: Order; marks: MealMarks | undefined }

/** Unavailable meals with reasons. */
const LeftOut = ({ meals, order: { student, studentId }, marks }: LeftOutProps) => {
  if (meals.length === 0) return null
  const left = meals.map((item) => ({ name: item.name, conflict: conflictFor(marks, studentId, item) }))
  const reason = conflictReason(allConflicts(left.map(({ conflict }) => conflict)), student)
  const names = left.map(({ name, conflict }) => `${name} (${conflictFacts(conflict)})`)
  return <Mark>{`Left out – ${reason}: ${names.join(', ')}`}</Mark>
}

const priceText = ({ discountedPrice, paymentStatus }: Order, price: number): string => {
  if (price === discountedPrice) return 'The price stays the same.'
  if (paymentStatus !== 'confirmed') return `${kwacha(price)} will then be left to pay.`
  return price < discountedPrice
    ? `${kwacha(discountedPrice - price)} becomes credit for your next orders.`
    : `${kwacha(price - discountedPrice)} is taken from your credit.`
}
