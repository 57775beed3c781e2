import { mealMessage, type UserMessage } from '#kernel/meal-line'
import type { SchoolDate } from '#kernel/school-time'
import type { StartedAttempt } from '../attempt/payment-attempt'
import type { ProviderMethod } from '../published'

const paymentNames: Record<ProviderMethod, string> = {
  card: 'card payment',
  airtel: 'payment by Airtel Money',
  mtn: 'payment by MTN Money',
}

/** Opens the cart with the meals of a plan's week. */
export const planCartLink = (publicUrl: string, week: SchoolDate): string =>
  `${publicUrl.replace(/\/$/, '')}/?tab=cart&plan=${week}`

/** A plan's family is told whatever the reason, as it may not look at its phone. */
export const failedMail = (attempt: StartedAttempt, publicUrl: string): UserMessage | null => {
  const { plan } = attempt.checkout
  const cartLink = plan ? planCartLink(publicUrl, plan) : null
  const isOver = attempt.status === 'cancelled' || attempt.status === 'abandoned'
  if (attempt.status !== 'declined' && attempt.status !== 'expired' && !(isOver && cartLink)) return null
  const way = paymentNames[attempt.method ?? 'card']
  const why =
    attempt.status === 'declined' ? `Your ${way} was declined` : `We have not received your ${way} in time`
  return mealMessage({
    what: 'Not ordered',
    why: ': the payment did not arrive',
    meals: attempt.checkout.lines,
    start: `${why}, so these meals are not ordered:`,
    end: [
      `Nothing was paid. You can order them again as long as their days are open${cartLink ? `: ${cartLink}` : '.'}\n${paymentReference(attempt)}`,
    ],
    short: (meals) =>
      `${why}: ${meals} not ordered. Nothing was paid.${cartLink ? ` Order: ${cartLink}` : ''}`,
  })
}

export const paymentReference = ({ checkout }: StartedAttempt) => `Payment reference: ${checkout.companyRef}`
