import { randomUUID } from 'node:crypto'
import type { CartLine } from '#contracts/ordering'
import { createPayment, recordAttempt, verifyPayment } from '#contracts/payments'
import type { Client } from './client'

/** What somebody does on the sandbox's payment page; `leave` never looks at it. */
export type Outcome = 'pay' | 'decline' | 'cancel' | 'close' | 'leave'

/** A cart is paid for by card as the portal does it: to the page, and back where the outcome leads back. */
export const payByCard = async (client: Client, lines: CartLine[], outcome: Outcome): Promise<void> => {
  const amount = lines.reduce(
    (total, line) => total + Math.round((line.discountedPrice ?? line.originalPrice) * 100),
    0,
  )
  const { TransToken, companyRef } = await client.call(createPayment, {
    body: { amount: amount / 100, currency: 'ZMW', paymentMethod: 'CC', cartItems: lines },
    headers: { 'idempotency-key': randomUUID() },
  })
  await client.call(recordAttempt, {
    body: { transactionId: TransToken, transactionRef: companyRef, transactionStatus: 'initiated' },
  })
  if (outcome === 'leave') return
  const form = new URLSearchParams({ outcome })
  await client.fetch(`/sandbox/pay/${TransToken}`, { method: 'POST', body: form })
  if (outcome !== 'close') await client.call(verifyPayment, { params: { transactionId: TransToken } })
}
