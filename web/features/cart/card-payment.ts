import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { createPayment, recordAttempt } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { paths } from '../../lib/paths'
import { cardFailure } from './card-failure'
import type { CartItem } from './cart-items'
import { totalOf } from './cart-items'
import { rememberPaying } from './card-paying'
import { orderLines } from './checkout'
import type { Customer } from './checkout'
import { sendAttempt } from './order-attempt'

type Order = { items: readonly CartItem[]; customer: Customer }
type Created = ReplyOf<typeof createPayment>

/** What starts the payment of this cart; the return pages are those of the address this runs at. */
export const paymentBody = ({ items, customer }: Order, origin: string): BodyOf<typeof createPayment> => {
  const [firstName = '', ...otherNames] = (customer.name || customer.username).trim().split(/\s+/)
  return {
    amount: totalOf(items),
    currency: 'ZMW',
    customerEmail: customer.email,
    customerPhone: customer.phone ?? null,
    customerFirstName: firstName,
    customerLastName: otherNames.join(' '),
    redirectURL: `${origin}${paths.paymentSuccess}`,
    backURL: `${origin}${paths.paymentCancel}`,
    paymentMethod: 'CC',
    cartItems: orderLines(items, customer),
  }
}

/**
 * Starts the payment and has it recorded; answers the address of the provider's page, for the browser to follow. The
 * cart stays until the payment is known. Throws CallError with the server's words, or CardFailure with ours.
 */
export const startCardPayment = async (order: Order): Promise<string> => {
  const created = await createdPayment(order)
  await recorded(order, created)
  rememberPaying(order.customer.id, created.TransToken, order.items)
  return created.paymentUrl
}

const createdPayment = async (order: Order): Promise<Created> => {
  const body = paymentBody(order, window.location.origin)
  const created = await sendAttempt(order.customer.id, body, (idempotencyKey) =>
    call(createPayment, { body, idempotencyKey }),
  ).catch((error: unknown) => {
    const isUnreadable = !(error instanceof CallError || error instanceof TypeError)
    throw cardFailure(
      error,
      isUnreadable ? 'Invalid payment response received' : 'Failed to create payment token',
    )
  })
  if (!isWebAddress(created.paymentUrl)) throw cardFailure(null, 'Invalid payment response received')
  return created
}

const isWebAddress = (address: string) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

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
    throw cardFailure(error, 'Failed to create payment attempt')
  })
