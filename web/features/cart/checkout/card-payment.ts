import * as z from 'zod/mini'
import type { BodyOf } from '#contracts/endpoint'
import { createPayment, recordAttempt } from '#contracts/payments'
import { call, CallError } from '../../../lib/call'
import { readDevice, removeFromDevice, writeDevice } from '../../../lib/device-storage'
import { addressOf, paths } from '../../../lib/paths'
import { cartKey } from '../../../queries/cart-here'
import { totalOf, type CartDay, type CartItem, isSameDay, readCart, writeCart } from '../cart'
import { CheckoutFailure, checkoutFailure, type Order, orderLines, sendAttempt } from './checkout'

const success = z.union([z.literal('000'), z.literal(0)])
const createdReply = z.extend(createPayment.reply, { Result: success })
const refusedReply = z.object({
  Result: z.union([z.string(), z.number()]).check(z.refine((code) => !z.safeParse(success, code).success)),
  ResultExplanation: z.nullish(z.string()),
})
/** Every answer of `create` in the spec (parent-and-teacher.md section 7). */
const createAnswer = { ...createPayment, reply: z.union([createdReply, refusedReply]) }
type Created = z.output<typeof createdReply>

/** Return pages are at this origin. */
const paymentBody = (
  { items, customer, useCredit, payBy, phone }: Order,
  origin: string,
): BodyOf<typeof createPayment> => {
  const [firstName = '', ...otherNames] = (customer.name || customer.username).trim().split(/\s+/)
  return {
    amount: totalOf(items),
    currency: 'ZMW',
    customerEmail: customer.email,
    customerPhone: phone ?? customer.phone ?? null,
    customerFirstName: firstName,
    customerLastName: otherNames.join(' '),
    redirectURL: `${origin}${paths.paymentSuccess}`,
    backURL: `${origin}${paths.paymentCancel}`,
    paymentMethod: phone !== null && (payBy === 'airtel' || payBy === 'mtn') ? payBy : 'CC',
    cartItems: orderLines(items, customer),
    useCredit,
  }
}

const createTimeoutMs = 60_000

/**
 * Starts and records a payment; answers the address to follow. The cart stays until the outcome is known. Throws CallError with the
 * server's words or CheckoutFailure with ours.
 */
export const startCardPayment = async (order: Order): Promise<string> => {
  const first = await startedPayment(order)
  // An old unanswered attempt leads to a payment that was given up.
  const { created, status } = first.status === 'failed' ? await startedPayment(order) : first
  const { TransToken, paymentUrl, prompt } = created
  rememberPaying(order.customer.id, TransToken, order.items)
  const { origin } = window.location
  if (status === 'verified') return origin + paths.paymentResult(TransToken)
  const isSandbox = addressOf(paymentUrl)?.pathname.startsWith('/sandbox/') === true
  return prompt ? origin + paths.paymentByPhone(TransToken, isSandbox) : paymentUrl
}

const startedPayment = async (order: Order) => {
  const created = await createdPayment(order)
  const { transactionStatus } = await recorded(order, created)
  return { created, status: transactionStatus }
}

const createdPayment = async (order: Order): Promise<Created> => {
  const body = paymentBody(order, window.location.origin)
  const created = await sendAttempt(order.customer.id, body, (idempotencyKey) =>
    call(createAnswer, { body, idempotencyKey, timeoutMs: createTimeoutMs }),
  ).catch((error: unknown) => {
    const isUnreadable = !(error instanceof CallError || error instanceof TypeError)
    throw checkoutFailure(
      error,
      isUnreadable ? 'Invalid payment response received' : 'Failed to create payment token',
    )
  })
  if (!('paymentUrl' in created))
    throw new CheckoutFailure(created.ResultExplanation || 'Payment initialization failed')
  if (!isWebAddress(created.paymentUrl)) throw checkoutFailure(null, 'Invalid payment response received')
  return created
}

const isWebAddress = (address: string) => /^https?:$/.test(addressOf(address)?.protocol ?? '')

const recorded = (order: Order, { TransToken, companyRef }: Created) =>
  call(recordAttempt, {
    body: {
      transactionId: TransToken,
      transactionRef: companyRef,
      paymentAmount: totalOf(order.items),
      cartItems: orderLines(order.items, order.customer),
      transactionStatus: 'initiated',
      errorDetails: null,
      isRecovered: false,
    },
  }).catch((error: unknown) => {
    throw checkoutFailure(error, 'Failed to create payment attempt')
  })

const paying = z.object({
  transactionId: z.string(),
  days: z.array(
    z.object({
      studentId: z.number(),
      weekNumber: z.number(),
      dayOfWeek: z.number(),
      date: z.optional(z.string()),
    }),
  ),
})

const payingKey = (userId: number) => `${cartKey(userId)}-paying`

/** Remembers the meals of a payment, to remove them once it is known. */
export const rememberPaying = (userId: number, transactionId: string, items: readonly CartItem[]): void => {
  const days = items.map(({ studentId, weekNumber, dayOfWeek, date }) => ({
    studentId,
    weekNumber,
    dayOfWeek,
    date,
  }))
  writeDevice(payingKey(userId), JSON.stringify({ transactionId, days }))
}

/** Removes a payment's meals from the cart once. Returning days later or on another device leaves today's cart alone. */
export const removePaid = (userId: number, transactionId: string): void => {
  const days = paidDays(userId, transactionId)
  if (!days) return
  removeFromDevice(payingKey(userId))
  writeCart(
    userId,
    readCart(userId).filter((item) => !days.some((day) => isSameDay(item, day))),
  )
}

/** Known on the device that paid, until removed. */
export const paidDays = (userId: number, transactionId: string): CartDay[] | null => {
  try {
    const stored = z.parse(paying, JSON.parse(readDevice(payingKey(userId)) ?? 'null'))
    return stored.transactionId === transactionId ? stored.days : null
  } catch {
    return null
  }
}
