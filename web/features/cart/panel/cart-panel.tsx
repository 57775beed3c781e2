import { useQuery } from '@tanstack/react-query'
import { type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { isMobile } from '#contracts/payments'
import { counted, gradeLabel, kwacha } from '../../../lib/format'
import { lazyComponent } from '../../../lib/lazy'
import { afterPaint } from '../../../lib/use-time'
import { cyclesQuery } from '../../../queries/cycles'
import { creditQuery } from '../../../queries/ordering'
import { Card, CardHeading } from '../../../ui/card'
import { Switch } from '../../../ui/checkbox'
import {
  type CartItem,
  paidByCredit,
  totalOf,
  closedText,
  firstCutoff,
  dayKey,
  dayText,
  groupByStudent,
  unavailableItems,
  type CartGroup,
  type Cart,
} from '../cart'
import { contactProblem, type Customer } from '../checkout/checkout'
import { PayByQuestion, PhoneToPayFrom, PlaceOrder } from '../checkout/place-order'
import { type Checkout, type Stop, useCheckout } from '../checkout/use-checkout'
import { validationQuery, type CartMark, useCartMarks, usePayBy } from '../send-cart'
import { AddEmail, EmailToPay } from './add-email'
import { CartLine } from './cart-line'
import {
  MemoryNotice,
  RefusedBanner,
  StopNotice,
  UnavailableBanner,
  without,
  ClearCart,
  EmptyCart,
} from './cart-notices'

const AllergyQuestion = lazyComponent(() => import('../allergy-question').then((m) => m.AllergyQuestion))

type CartPanelProps = {
  cart: Cart
  customer: Customer
  onBrowse: (studentId?: number) => void
  /** To add an email address. */
  onProfile: () => void
  /** Places the order as soon as the ways to pay are known. */
  orders?: boolean
  onOrdering?: () => void
}

export const CartPanel = ({
  cart,
  customer,
  onBrowse,
  onProfile,
  orders = false,
  onOrdering,
}: CartPanelProps) => {
  const unavailable = useUnavailable(cart.items)
  const [useCredit, setUseCredit] = useState(true)
  const cycles = useQuery(cyclesQuery).data
  const isGone = (item: CartItem) => unavailable.includes(item) || closedText(cycles, item) !== undefined
  const orderable = cart.items.filter((item) => !isGone(item))
  const total = totalOf(orderable)
  const credit = useQuery(creditQuery).data
  const { used, left } = paidByCredit(total, credit?.balance ?? 0)
  const toPay = useCredit ? left : total
  const lacking = contactProblem(customer)
  const { choices, chosen, choose, phone, setPhone, tooLate, isKnown, emailFor } = usePayBy(
    toPay,
    { phone: customer.phone ?? null, lacksContact: lacking !== null },
    firstCutoff(cycles, orderable),
  )
  const markAt = useCartMarks()
  const problem = emailFor === 'cart' ? lacking : null
  const mustTellEmail = emailFor === 'way' && lacking !== null
  const isInConflict = cart.items.some((item) => markAt(item).stops)
  const checkout = useCheckout(cart, customer, { useCredit, payBy: chosen, phone, problem, isInConflict })
  const [isAsking, setAsking] = useState(false)
  const messageAt = (item: CartItem) => saidOf(checkout, item, markAt(item)) ?? closedText(cycles, item)
  const [asked, setAsked] = useState<CartItem | null>(null)
  const refused = cart.items.filter(messageAt)
  const panel = useRef<HTMLDivElement>(null)
  useFocusAtStop(panel, checkout.stop)
  const goesFrom = useFocusAfterRemoval(panel, cart.items.length)
  const blocked = blockedText({
    unavailable: unavailable.length,
    left: orderable.length,
    all: cart.items.length,
  })
  const place = () => {
    if (blocked) return leadTo(panel, '[data-blocked]')
    const mustChoose = choices.length > 0 && chosen === null
    const mustType = phone !== null && !isMobile(phone)
    setAsking(mustChoose || mustType)
    if (mustChoose) leadTo(panel, '[data-pay-by]')
    else if (mustType) leadTo(panel, '[data-pay-from]')
    else if (mustTellEmail)
      panel.current?.querySelector<HTMLFormElement>('[data-pay-by-mail] form')?.requestSubmit()
    else checkout.place()
  }
  const [isTold, setTold] = useState(false)
  const goOn = useEffectEvent(place)
  useEffect(() => (isTold && !mustTellEmail ? afterPaint(goOn) : undefined), [isTold, mustTellEmail])
  const placeAtOnce = useEffectEvent(() => {
    onOrdering?.()
    place()
  })
  const isReady = orders && isKnown && cycles !== undefined && credit !== undefined
  useEffect(() => (isReady ? afterPaint(placeAtOnce) : undefined), [isReady])
  if (cart.items.length === 0)
    return (
      <div ref={panel} tabIndex={-1} className="outline-none">
        <EmptyCart placed={checkout.placed} onPayment={checkout.showPayment} onBrowse={() => onBrowse()} />
        {checkout.dialog}
      </div>
    )
  const remove = (items: readonly CartItem[]) => cart.update((now) => without(now, items))
  return (
    <div ref={panel} tabIndex={-1} className="flex flex-col gap-5 outline-none">
      <div data-blocked tabIndex={-1} className="flex flex-col gap-5 rounded-lg empty:hidden">
        <UnavailableBanner items={unavailable} onRemove={remove} />
        <RefusedBanner
          items={refused.length > 1 || refused.some(isGone) ? refused : []}
          others={orderable.length > 0}
          onRemove={remove}
        />
      </div>
      <MemoryNotice isInMemoryOnly={cart.isInMemoryOnly} />
      {problem && isKnown ? <AddEmail customer={customer} problem={problem} onProfile={onProfile} /> : null}
      <StopNotice notice={checkout.notice} />
      {groupByStudent(cart.items).map((group) => (
        <GroupCard
          key={group.studentId}
          group={group}
          subtotal={totalOf(group.items.filter((item) => !isGone(item)))}
        >
          {group.items.map((item) => (
            <CartLine
              key={dayKey(item)}
              item={item}
              day={dayText(cycles, item)}
              unavailable={unavailable.includes(item)}
              message={messageAt(item)}
              mark={markAt(item)}
              onAsk={() => setAsked(item)}
              onAnother={() => {
                cart.remove(item)
                onBrowse(item.studentId)
              }}
              onComments={(comments) => cart.setComments(item, comments)}
              onRemove={(pressed) => {
                goesFrom(pressed)
                cart.remove(item)
              }}
            />
          ))}
        </GroupCard>
      ))}
      <div className="flex flex-col-reverse items-start sm:flex-row sm:items-center sm:justify-between">
        <ClearCart meals={cart.items.length} onClear={cart.clear} />
        <Sum label="Total" amount={total} large />
      </div>
      {used > 0 ? (
        <div className="flex flex-col items-start sm:flex-row sm:items-center sm:justify-between">
          <Switch label={`Use ${kwacha(used)} credit`} checked={useCredit} onChange={setUseCredit} />
          <Sum label="Left to pay" amount={toPay} large />
        </div>
      ) : null}
      {credit && credit.held > 0 && total > 0 ? (
        <p className="text-sm text-muted">
          {`${kwacha(credit.held)} of your credit is held by a payment under way`}
        </p>
      ) : null}
      <PlaceOrder
        price={orderable.length === 0 ? null : total === 0 ? 'Free' : kwacha(toPay)}
        busy={checkout.busy}
        leaving={checkout.leaving}
        blocked={blocked}
        onPlace={place}
      >
        {tooLate ? <p className="text-sm">{tooLate}</p> : null}
        <PayByQuestion choices={choices} chosen={chosen} isMissing={isAsking} onChoose={choose} />
        {phone === null ? null : <PhoneToPayFrom phone={phone} isMissing={isAsking} onChange={setPhone} />}
        {lacking && mustTellEmail ? (
          <EmailToPay
            customer={customer}
            problem={lacking}
            onProfile={onProfile}
            onSaved={() => setTold(true)}
          />
        ) : null}
      </PlaceOrder>
      {checkout.dialog}
      {asked ? (
        <AskedMeal
          words={markAt(asked).conflict}
          of={asked.menuItem.name}
          onYes={() => cart.acknowledge(asked)}
          onNo={() => setAsked(null)}
        />
      ) : null}
    </div>
  )
}

/** The server's message; a conflict shows as a mark or was confirmed since. */
const saidOf = ({ messages }: Checkout, item: CartItem, { conflict }: CartMark): string | undefined => {
  const said = messages[dayKey(item)]
  const isConflict = said?.code === 'allergen_conflict' || said?.code === 'diet_conflict'
  return isConflict && (conflict || item.acknowledged) ? undefined : said?.message
}

type AskedMealProps = { words: string | null; of: string; onYes: () => void; onNo: () => void }

const AskedMeal = ({ words, of, onYes, onNo }: AskedMealProps) =>
  words ? (
    <Suspense>
      <AllergyQuestion
        words={words}
        of={of}
        onNo={onNo}
        onYes={() => {
          onYes()
          onNo()
        }}
      />
    </Suspense>
  ) : null

type Counts = { unavailable: number; left: number; all: number }

/** Why the cart cannot be ordered as it is. */
const blockedText = ({ unavailable, left, all }: Counts): string | null => {
  if (unavailable > 0) return 'Remove the unavailable items first'
  if (left === 0) return 'No meal in the cart can be ordered any more'
  return left < all ? 'Remove the meals that cannot be ordered first' : null
}

/** A failed check does not block the cart. */
const useUnavailable = (items: readonly CartItem[]) => {
  const { data, isError } = useQuery(validationQuery(items))
  return unavailableItems(items, isError ? undefined : data)
}

type Panel = RefObject<HTMLDivElement | null>

/** Focuses the first of these that is there. */
const leadTo = (panel: Panel, ...places: string[]) => {
  const [first] = places.flatMap((place) => panel.current?.querySelector<HTMLElement>(place) ?? [])
  first?.focus({ preventScroll: true })
  first?.scrollIntoView({ block: 'center' })
}

/** Focuses the first refused meal, else what is missing. */
const useFocusAtStop = (panel: Panel, stop: Stop | null) =>
  useEffect(() => {
    if (stop) leadTo(panel, '[data-refused]', '[data-contact] input', '[data-notice]:not([hidden])')
  }, [panel, stop])

/**
 * Removal takes the pressed button and the focus with it: moves the focus to the next meal's button, else the panel. Call the answer before
 * removing.
 */
export const useFocusAfterRemoval = (panel: RefObject<HTMLElement | null>, meals: number) => {
  const before = useRef(meals)
  const place = useRef(-1)
  const buttons = () => [...(panel.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
  useEffect(() => {
    const fewer = meals < before.current
    const at = place.current
    before.current = meals
    place.current = -1
    if (!fewer || document.activeElement !== document.body) return
    const left = at < 0 ? [] : buttons()
    const next = left[Math.min(at, left.length - 1)] ?? panel.current
    next?.focus({ preventScroll: next === panel.current })
  })
  return (pressed: HTMLElement) => {
    place.current = buttons().indexOf(pressed)
  }
}

type GroupCardProps = { group: CartGroup; subtotal: number; children: ReactNode }

const GroupCard = ({ group, subtotal, children }: GroupCardProps) => (
  <Card>
    <CardHeading
      title={group.name}
      hint={`${gradeLabel(group.grade)} · ${counted(group.items.length, 'meal')}`}
    />
    <ul className="mt-3 divide-y divide-line border-y border-line">{children}</ul>
    <Sum label="Subtotal" amount={subtotal} />
  </Card>
)

type SumProps = { label: string; amount: number; large?: boolean }

const Sum = ({ label, amount, large }: SumProps) => (
  <p className="flex w-full flex-wrap items-baseline justify-end gap-x-4 sm:w-auto px-4 py-3 sm:px-6 md:pr-18.5">
    <span className={large ? 'font-semibold' : 'text-sm text-muted'}>{label}</span>{' '}
    <span className={large ? 'money text-xl font-semibold' : 'money font-semibold'}>{kwacha(amount)}</span>
  </p>
)
