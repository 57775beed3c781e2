import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { CycleWeek } from '#contracts/cycles'
import type { FamilyPage } from '#contracts/find'
import type { Order } from '#contracts/ordering'
import { dayKey } from '../../features/cart/cart'
import { lineMessages } from '../../features/cart/checkout/checkout'
import { useRemainingPortions } from '../../features/menu/menu-week'
import type { PlanChild, PlanDay } from '../../features/week-plan/suggest-week'
import { capitalised, kwacha, kwachaSum, onlyOne } from '../../lib/format'
import { paths } from '../../lib/paths'
import { adminToast, notifyFailure } from '../../lib/toast'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { RadioCards, Segmented } from '../../ui/radio-cards'
import { planFacts, type Planning } from '../ordering/plan-facts'
import { lineOf } from '../ordering/use-ordering'
import { cartLineOf, ordering } from './counter-lines'

type LunchTodayProps = {
  page: FamilyPage
  planning: Planning
  /** The week of today, which is open for the office. */
  week: CycleWeek
  today: string
  /** After the cutoff a reason is asked for. */
  isLate: boolean
  mayReceive: boolean
}

/** One child, one dish, how it is paid: four presses. */
export const LunchToday = ({ page, planning, week, today, ...how }: LunchTodayProps) => {
  const few = useRemainingPortions([week])
  const { family, viewsOf } = planFacts({ week, eaters: page.children, ordering: planning, few })
  const hungry = family.filter((child) => dayOf(child, today))
  const [asked, setAsked] = useState<number | null>(null)
  const [done, setDone] = useState<DoneProps | null>(null)
  const child = hungry.find(({ id }) => id === asked) ?? (hungry.length === 1 ? hungry[0] : undefined)
  const eater = page.children.find(({ id }) => id === child?.id)
  return (
    <div className="flex flex-col gap-4">
      {done ? <Done {...done} /> : null}
      {hungry.length > 1 ? (
        <RadioCards
          small
          label="For whom"
          options={hungry.map(({ id, name }) => ({ value: id, label: name }))}
          value={child?.id ?? null}
          onChange={setAsked}
        />
      ) : null}
      {family.flatMap(({ id, name, told }) =>
        told
          .filter(({ date }) => date === today)
          .map(({ words }) => <p key={id} className="text-sm text-muted">{`${name}: ${words}`}</p>),
      )}
      {child && eater ? (
        <TodayForm
          key={child.id}
          {...how}
          parentId={page.parent.id}
          child={child}
          day={dayOf(child, today)!}
          line={(choice) => {
            const day = viewsOf(eater).find((view) => view.day.date === today)!.day
            return lineOf(eater)({ ...choice, day })
          }}
          onDone={setDone}
        />
      ) : null}
    </div>
  )
}

const dayOf = ({ days }: PlanChild, date: string): PlanDay | undefined =>
  days.find((day) => day.date === date && day.meals.length > 0)

const reasons = ['Forgot to order', 'Came without lunch', 'The payment came late', 'Another reason'] as const
const otherReason = reasons[3]

type Way = 'cash' | 'credit' | 'later'
const ways = [
  { value: 'cash', label: 'Cash' },
  { value: 'credit', label: 'Credit' },
  { value: 'later', label: 'Pays later' },
] as const satisfies readonly { value: Way; label: string }[]

type Choice = Omit<Parameters<ReturnType<typeof lineOf>>[0], 'day'>

type TodayFormProps = Pick<LunchTodayProps, 'isLate' | 'mayReceive'> & {
  parentId: number
  child: PlanChild
  day: PlanDay
  line: (choice: Choice) => ReturnType<ReturnType<typeof lineOf>>
  onDone: (done: DoneProps) => void
}

const nothingChosen = {
  itemId: null as number | null,
  protein: '',
  side: '',
  reason: null as string | null,
  typed: '',
  given: null as number | null,
}

/** What is chosen so far, what it costs, and the act. */
const useLunch = ({ parentId, child, day, isLate, mayReceive, line, onDone }: TodayFormProps) => {
  const order = useMutation(ordering)
  const [chosen, setChosen] = useState({
    ...nothingChosen,
    itemId: day.meals.length === 1 ? day.meals[0]!.item.id : null,
    way: (mayReceive ? 'cash' : 'later') as Way,
  })
  const [refused, setRefused] = useState('')
  const change = (next: Partial<typeof chosen>) => {
    setChosen({ ...chosen, ...next })
    setRefused('')
  }
  const meal = day.meals.find(({ item }) => item.id === chosen.itemId)
  const price = Number(meal?.item.discountPrice ?? meal?.item.price ?? 0)
  const category = chosen.protein || onlyOne(meal?.item.categories ?? [])
  const sideDish = chosen.side || onlyOne(meal?.sides ?? [])
  const why = (chosen.reason === otherReason ? chosen.typed.trim() : chosen.reason) ?? ''
  const isReady =
    meal !== undefined &&
    (category !== '' || meal.item.categories.length === 0) &&
    (sideDish !== '' || meal.sides.length === 0) &&
    (!isLate || why.length >= 3)
  const place = async () => {
    if (!meal) return
    const { way, given } = chosen
    const item = line({ item: meal.item, category: category || null, sideDish: sideDish || null })
    const body = {
      cartItems: [cartLineOf(item)],
      payBy: way === 'later' ? ('other' as const) : way,
      received: mayReceive && way === 'cash',
      ...(way === 'later' && why && { note: why }),
      ...(isLate && { late: { reason: why } }),
    }
    try {
      const { orders } = await order.mutateAsync({ params: { parentId }, body })
      onDone({ order: orders[0]!, way, given })
      adminToast({ title: '1 meal ordered', text: `${meal.item.name} for ${child.name}` })
    } catch (error) {
      const said = lineMessages(error, [item])[dayKey(item)]
      if (said) setRefused(said.message)
      else notifyFailure(error, 'Failed to order')
    }
  }
  return { chosen, change, meal, price, category, sideDish, isReady, refused, place, busy: order.isPending }
}

const TodayForm = (props: TodayFormProps) => {
  const { child, day, isLate, mayReceive } = props
  const lunch = useLunch(props)
  const { chosen, change, meal, price } = lunch
  return (
    <div className="flex flex-col gap-4">
      <RadioCards
        small
        label={`Dish for ${child.name}`}
        options={day.meals.map(({ item }) => ({
          value: item.id,
          label: item.name,
          hint: kwacha(item.discountPrice ?? item.price),
        }))}
        value={chosen.itemId}
        onChange={(itemId) => change({ itemId, protein: '', side: '', given: null })}
      />
      {meal ? (
        <>
          <Choose
            label="Protein"
            options={meal.item.categories}
            value={lunch.category}
            onChange={(protein) => change({ protein })}
          />
          <Choose
            label="Side dish"
            options={meal.sides}
            value={lunch.sideDish}
            onChange={(side) => change({ side })}
          />
        </>
      ) : null}
      {isLate ? <Why {...lunch} /> : null}
      {mayReceive ? (
        <Segmented
          label="How it is paid"
          segments={ways}
          value={chosen.way}
          onChange={(way) => change({ way })}
        />
      ) : null}
      {meal && chosen.way === 'cash' && price > 0 ? <Cash {...lunch} /> : null}
      {lunch.refused ? (
        <p role="alert" className="text-sm font-semibold text-danger-700">
          {lunch.refused}
        </p>
      ) : null}
      <Button icon="check" disabled={!lunch.isReady} busy={lunch.busy} onClick={() => void lunch.place()}>
        {meal ? `Order lunch, ${kwacha(price)}` : 'Order lunch'}
      </Button>
    </div>
  )
}

type Lunch = ReturnType<typeof useLunch>

const Why = ({ chosen, change }: Pick<Lunch, 'chosen' | 'change'>) => (
  <>
    <RadioCards
      small
      label="Why it is ordered after the cutoff"
      options={reasons.map((value) => ({ value, label: value }))}
      value={chosen.reason}
      onChange={(reason) => change({ reason })}
    />
    {chosen.reason === otherReason ? (
      <TextField
        label="The reason, in at least 3 characters"
        value={chosen.typed}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => change({ typed: target.value })}
      />
    ) : null}
  </>
)

const Cash = ({ chosen, change, price }: Pick<Lunch, 'chosen' | 'change' | 'price'>) => (
  <>
    <RadioCards
      small
      label="Cash given"
      options={notesFor(price).map((value) => ({
        value,
        label: value === price ? `${kwacha(value)} exactly` : `K${value}`,
      }))}
      value={chosen.given}
      onChange={(given) => change({ given })}
    />
    <p className="money min-h-6 font-semibold" aria-live="polite">
      {chosen.given === null ? '' : changeText(chosen.given, price)}
    </p>
  </>
)

type ChooseProps = {
  label: string
  options: readonly string[]
  value: string
  onChange: (value: string) => void
}

/** Nothing where there is nothing to choose. */
const Choose = ({ label, options, value, onChange }: ChooseProps) =>
  options.length < 2 ? null : (
    <RadioCards
      small
      label={label}
      options={options.map((one) => ({ value: one, label: capitalised(one) }))}
      value={value || null}
      onChange={onChange}
    />
  )

const bankNotes = [10, 20, 50, 100, 200, 500]
const shownNotes = 3

/** The price itself, and the next notes above it. */
const notesFor = (price: number): number[] => [
  price,
  ...bankNotes.filter((note) => note > price).slice(0, shownNotes),
]

const changeText = (given: number, price: number): string =>
  `Given ${kwacha(given)}, change ${kwacha(kwachaSum([given, -price]))}`

type DoneProps = { order: Order; way: Way; given: number | null }

/** By the price that was charged. */
const Done = ({ order: { menuItem, student, discountedPrice, receiptNumber }, way, given }: DoneProps) => (
  <output className="block rounded-lg border border-brand-200 bg-brand-50 px-4 py-3">
    <p className="font-semibold text-brand-800">{`${menuItem.name} for ${student.name}, ${kwacha(discountedPrice)}`}</p>
    <p className="money text-sm">
      {way === 'cash' && given !== null ? changeText(given, discountedPrice) : doneText[way]}
    </p>
    {receiptNumber ? (
      <Link
        to={paths.receipt(receiptNumber)}
        className="inline-flex min-h-11 items-center font-semibold text-brand-700 underline"
      >
        {`Print receipt ${receiptNumber}`}
      </Link>
    ) : null}
  </output>
)

const doneText: Record<Way, string> = {
  cash: 'Paid in cash',
  credit: 'Paid with credit',
  later: 'To pay under Pending Payments',
}
