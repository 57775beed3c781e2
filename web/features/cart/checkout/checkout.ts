import * as z from 'zod/mini'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { type CartLine, type PayWay, payWays, type placeOrders, refusedLine } from '#contracts/ordering'
import { numberToPayTo, type PaymentBypass } from '#contracts/payments'
import type { User } from '#contracts/identity'
import { CallError } from '../../../lib/call'
import { type CartItem, priceOf } from '../cart-items'
import { dayKey } from '../cart-view'
import type { Words } from './checkout-failure'

/** Who orders, as it is sent to the kitchen and the books. */
export type Customer = {
  id: number
  username: string
  name: string
  email: string | null
  phone?: string | null
} & Pick<User, 'contactNeeded'>

const emailRequired =
  'Please add an email address to your profile before placing orders. Contact the school office for assistance.'

const checkoutContact = z.object({
  customerName: z.string().check(z.trim(), z.minLength(1, 'Required')),
  customerEmail: z.nullable(z.email('Please enter a valid email address')),
})

const lacking: Record<NonNullable<Customer['contactNeeded']>, Words> = {
  email: { title: 'Email Required', text: emailRequired, toDo: 'Add an email address' },
  email_or_phone: {
    title: 'Email or Phone Required',
    text: 'Please add an email address to your profile, or verify your phone there, before placing orders.',
    toDo: 'Add an email address or verify your phone',
  },
}

/** Why this user cannot check out yet; null when nothing is in the way. */
export const contactProblem = (customer: Customer): Words | null => {
  if (customer.contactNeeded) return lacking[customer.contactNeeded]
  const contact = z.safeParse(checkoutContact, contactOf(customer))
  if (contact.success) return null
  const text = contact.error.issues[0]?.message ?? 'Invalid input'
  return { title: 'Email Required', text, toDo: 'Open your profile' }
}

const contactOf = (customer: Customer) => ({
  customerName: customer.name || customer.username,
  customerEmail: customer.email,
})

/** The cart as the order lines of the contract; an empty comment is sent as an empty text. */
export const orderLines = (items: readonly CartItem[], customer: Customer): CartLine[] =>
  items.map((item) => ({
    menuItemId: item.menuItemId,
    studentId: item.studentId,
    weekNumber: item.weekNumber,
    dayOfWeek: item.dayOfWeek,
    date: item.date,
    category: item.category,
    sideDish: item.sideDish,
    comments: item.comments.trim(),
    ...(item.acknowledged && { acknowledged: true }),
    originalPrice: Number(item.menuItem.price),
    discountedPrice: priceOf(item),
    discountPercentage: item.discountPercentage ?? 0,
    ...contactOf(customer),
  }))

/**
 * A cart as it is handed in; `useCredit`: the family's credit pays for as much of it as it can; `payBy`: how the rest is paid
 * for, null where nobody was asked.
 */
export type Order = {
  items: readonly CartItem[]
  customer: Customer
  useCredit: boolean
  payBy: 'card' | PayWay | null
}

/** The buyer sends the money, outside of the card provider. */
export const isWay = (payBy: Order['payBy']): payBy is PayWay => payBy !== null && payBy !== 'card'

/** The ways beside the card that a buyer may choose: each with a number to pay to. */
export const waysBeside = (settings: PaymentBypass): PayWay[] =>
  settings.enabled || !settings.beside ? [] : payWays.filter((way) => numberToPayTo(settings, way) !== '')

/** What orders this cart without a card payment. */
export const placingBody = ({ items, customer, useCredit, payBy }: Order): BodyOf<typeof placeOrders> => ({
  cartItems: orderLines(items, customer),
  useCredit,
  ...(isWay(payBy) && { payBy }),
})

export type Placed = ReplyOf<typeof placeOrders>
export type LineMessages = Readonly<Record<string, { code: string; message: string }>>

const refusal = z.object({ lines: z.array(refusedLine) })

/** The server's message for each refused meal, by `dayKey`; empty when the error is about something else. */
export const lineMessages = (error: unknown, items: readonly CartItem[]): LineMessages => {
  const body = error instanceof CallError ? z.safeParse(refusal, error.reply).data : undefined
  const pairs = (body?.lines ?? []).flatMap(({ index, code, message }) => {
    const item = items[index]
    return item ? [[dayKey(item), { code, message }] as const] : []
  })
  return Object.fromEntries(pairs)
}
