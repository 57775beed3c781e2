import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import type { FamilyPage } from '#contracts/find'
import { type CartItem, dayKey, holdsDay, isSameDay, priceOf, totalOf } from '../../features/cart/cart'
import { type LineMessages, lineMessages } from '../../features/cart/checkout/checkout'
import { CounterPayment, type CounterTerms } from '../../features/families/counter-payment'
import { counted, kwacha, shortDay } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { menuQuery } from '../../queries/catalogue'
import { calendarQuery } from '../../queries/cycles'
import { familyMealMarksQuery } from '../../queries/identity'
import { useUser } from '../../queries/session'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { combinedQuery, QueryResult } from '../../ui/query-result'
import { Segmented } from '../../ui/radio-cards'
import type { Planning } from '../ordering/plan-facts'
import { PlanWeek } from '../ordering/plan-week'
import { lineOf } from '../ordering/use-ordering'
import { cartLineOf, opened, ordering, ordersIn } from './counter-lines'
import { LunchToday } from './lunch-today'

/** The counter: the week plan of families, for one without phone, card or data. */
export const OrderForFamily = ({ page }: { page: FamilyPage }) => {
  const [isOpen, setOpen] = useState(false)
  return page.children.length === 0 ? null : (
    <Card>
      <CardHeading title="At the counter" hint="For a family without phone, card or data" />
      <CardBody>
        {isOpen ? (
          <Counter page={page} onDone={() => setOpen(false)} />
        ) : (
          <Button icon="cart" onClick={() => setOpen(true)}>
            Order for this family
          </Button>
        )}
      </CardBody>
    </Card>
  )
}

type For = 'today' | 'week' | 'other'

const Counter = ({ page, onDone }: { page: FamilyPage; onDone: () => void }) => {
  const mayReceive = useUser().allowedFeatures.includes('pending_payments')
  const marks = useQuery(familyMealMarksQuery(page.parent.id))
  const offer = combinedQuery(combinedQuery(useQuery(menuQuery), useQuery(calendarQuery)), marks)
  const [asked, setAsked] = useState<For | null>(null)
  return (
    <QueryResult query={offer} failure="Failed to load the menu. Please try again.">
      {([[menu, cycles], known]) => {
        const active = cycles.find(({ isActive }) => isActive)
        const week = active?.weeks?.find(({ days }) => days.some(({ date }) => date === active.today))
        const day = week?.days.find(({ date }) => date === active!.today)
        const isLate = day?.state === 'cutoff'
        const mayToday = isLate || day?.state === 'open'
        const chosen = asked ?? (mayToday ? 'today' : week && isOpen(week) ? 'week' : 'other')
        const planning = {
          calendar: { data: [[menu, cycles], ordersIn(page)] as const },
          marks: known,
          cart: { items: [] },
          add: () => 0,
        }
        return (
          <div className="flex flex-col gap-5">
            <Segmented
              label="When"
              segments={[
                ...(mayToday ? [{ value: 'today', label: 'Lunch for today' } as const] : []),
                ...(week && isOpen(week) ? [{ value: 'week', label: 'This week' } as const] : []),
                { value: 'other', label: week ? 'Other week' : 'Choose a week' },
              ]}
              value={chosen}
              onChange={setAsked}
            />
            {chosen === 'today' ? (
              <LunchToday
                page={page}
                planning={{
                  ...planning,
                  calendar: { data: [[menu, opened(cycles)], ordersIn(page)] },
                }}
                week={week!}
                today={active!.today!}
                isLate={isLate}
                mayReceive={mayReceive}
              />
            ) : (
              <Weeks
                key={chosen}
                page={page}
                planning={planning}
                weeks={(active?.weeks ?? []).filter(
                  (one) => isOpen(one) && (one.week === week?.week) === (chosen === 'week'),
                )}
                mayReceive={mayReceive}
                onDone={onDone}
              />
            )}
          </div>
        )
      }}
    </QueryResult>
  )
}

type WeeksProps = {
  page: FamilyPage
  planning: Planning
  weeks: readonly CycleWeek[]
  mayReceive: boolean
  onDone: () => void
}

/** The week plan of families, with how it is paid at its end. */
const Weeks = ({ page, planning, weeks, mayReceive, onDone }: WeeksProps) => {
  const [items, setItems] = useState<readonly CartItem[]>([])
  const [messages, setMessages] = useState<LineMessages>({})
  const order = useMutation(ordering)
  const place = async (terms: CounterTerms) => {
    try {
      const body = { ...terms, cartItems: items.map(cartLineOf) }
      const { orders, payment } = await order.mutateAsync({ params: { parentId: page.parent.id }, body })
      const unpaid = payment && `${kwacha(payment.amount)} to pay, reference ${payment.reference}`
      adminToast({
        title: `${counted(orders.length, 'meal')} ordered`,
        text: unpaid ?? 'Nothing is left to pay',
      })
      onDone()
    } catch (error) {
      setMessages(lineMessages(error, items))
      throw error
    }
  }
  const remove = (item: CartItem) => setItems((now) => now.filter((one) => !isSameDay(one, item)))
  const accept = (item: CartItem) =>
    setItems((now) => now.map((one) => (isSameDay(one, item) ? { ...one, acknowledged: true } : one)))
  const add: Planning['add'] = (eater, meals) => {
    const added = meals.map(lineOf(eater)).filter((line) => !holdsDay(items, line))
    setItems((now) => [...now, ...added])
    return added.length
  }
  return (
    <>
      <Plans
        planning={{ ...planning, cart: { items }, added: 'Meals chosen', add }}
        page={page}
        weeks={weeks}
      />
      {items.length === 0 ? null : (
        <>
          <ChosenMeals items={items} messages={messages} onRemove={remove} onAccept={accept} />
          <CounterPayment
            submit={`Order ${counted(items.length, 'meal')}`}
            mayReceive={mayReceive}
            onOrder={place}
          />
        </>
      )}
    </>
  )
}

type PlansProps = Pick<WeeksProps, 'planning' | 'page' | 'weeks'>

/** Opens with the first week that has an open day; each other one is a press away. */
const Plans = ({ planning, page, weeks }: PlansProps) => {
  const [plan, setPlan] = useState<number | null>(weeks[0]?.week ?? null)
  const planned = weeks.find(({ week }) => week === plan)
  return weeks.length === 0 ? (
    <p className="text-muted">No day can be ordered now.</p>
  ) : (
    <div className="flex flex-wrap gap-2">
      {weeks.map(({ week, startDate }) => (
        <Button key={week} variant="secondary" onClick={() => setPlan(week)}>
          {`Week ${week}, ${shortDay(startDate)}`}
        </Button>
      ))}
      {planned ? (
        <PlanWeek
          week={planned}
          eaters={page.children}
          ordering={planning}
          onClose={() => setPlan(null)}
          onAdded={() => setPlan(null)}
        />
      ) : null}
    </div>
  )
}

const isOpen = ({ days }: CycleWeek): boolean => days.some(({ state }) => state === 'open')

type ChosenMealsProps = {
  items: readonly CartItem[]
  messages: LineMessages
  onRemove: (item: CartItem) => void
  /** Of a meal in conflict with an allergy or a diet. */
  onAccept: (item: CartItem) => void
}

const mealOf = ({ date, menuItem, student }: CartItem) =>
  `${date ? `${shortDay(date)}: ` : ''}${menuItem.name} for ${student.name}`

const ChosenMeals = ({ items, messages, onRemove, onAccept }: ChosenMealsProps) => (
  <div className="flex flex-col gap-2">
    <ul aria-label="Meals to order" className="divide-y divide-line border-y border-line">
      {items.map((item) => {
        const said = messages[dayKey(item)]
        return (
          <li key={dayKey(item)} className="flex items-start justify-between gap-3 py-2">
            <span className="min-w-0">
              <span className="block font-semibold break-words">{mealOf(item)}</span>
              <span className="block text-sm text-muted">
                {[item.category, item.sideDish, kwacha(priceOf(item))].filter(Boolean).join(' · ')}
              </span>
              {said && !item.acknowledged ? (
                <span className="block text-sm text-danger-700">{said.message}</span>
              ) : null}
              {said?.code.endsWith('_conflict') && !item.acknowledged ? (
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Order it all the same: ${mealOf(item)}`}
                  onClick={() => onAccept(item)}
                >
                  Order it all the same
                </Button>
              ) : null}
            </span>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Remove ${mealOf(item)}`}
              onClick={() => onRemove(item)}
            >
              Remove
            </Button>
          </li>
        )
      })}
    </ul>
    <p className="text-right">
      <span className="text-sm text-muted">Total </span>
      <strong className="money">{kwacha(totalOf(items))}</strong>
    </p>
  </div>
)
