import type { Ports } from '#platform/ports'
import { lunchOf } from '#kernel/meal-line'
import { loadStream } from '#platform/event-store/command-handler'
import { paymentAttempt } from './fold'

export const paidCheckout =
  ({ eventStore }: Ports) =>
  async (attemptId: string, at: string) => {
    const { events } = await loadStream(eventStore, paymentAttempt, attemptId)
    const attempt = events
      .filter(({ data }) => data.at <= at)
      .reduce(paymentAttempt.evolve, paymentAttempt.initial)
    if (attempt.status === 'none') return null
    return {
      reference: attempt.checkout.companyRef,
      providerReference: attempt.token && (attempt.token.ref ?? attempt.token.token),
      meals: attempt.checkout.lines.map((line) => ({
        mealDate: lunchOf(line).date,
        student: line.student.name,
        item: line.item.name,
        category: line.category,
        sideDish: line.sideDish,
        originalPrice: line.originalPrice,
        price: line.price,
        credit: line.credit ?? 0,
      })),
    }
  }
