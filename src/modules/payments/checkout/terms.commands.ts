import type { CheckoutWay, PayWay } from '#contracts/ordering'
import { numberToPayTo } from '#contracts/payments'
import type { MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { weekdayName, type SchoolDate } from '#kernel/school-time'
import type { StreamChange } from '#platform/event-store/command-handler'
import { sendsPrompts } from '../alternative/instructions'
import type { Checkout } from '../attempt/events'
import { readBypass } from '../attempt/payment-bypass.rows'
import { claimReference } from '../attempt/references.rows'
import { tooLateForTransfer } from '../attempt/unpaid.decide'
import type { PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'
import { countUnpaidOfAccount, refuseTooManyUnpaid } from './unpaid-meals.commands'

/** How a cart that no card pays is paid. `counted` goes into the same append. */
export type Terms = Pick<Checkout, 'companyRef' | 'payBy'> & {
  kind: 'free' | 'alternative'
  counted?: StreamChange
}

type Asked = {
  userId: number
  payBy: CheckoutWay | null
  useCredit: boolean
  office?: Checkout['office']
  plan?: Checkout['plan']
  at: Date
}

export type CheckoutTerms = {
  refuseOtherWay: (way: PayWay) => Promise<void>
  /** Of a cart that costs something. Throws `credit_short`, `too_late_for_transfer`, `too_many_unpaid_meals`. */
  termsOf: (attemptId: string, asked: Asked, lines: readonly MealLine[]) => Promise<Terms>
}

/** Throws `way_not_offered`, `paid_at_once`. */
export const refuseOtherWay =
  (needs: PaymentsNeeds) =>
  async (way: PayWay): Promise<void> => {
    const settings = await readBypass(needs)
    if (way !== 'bank' && sendsPrompts(settings, needs.provider !== null)) throw refusal('paid_at_once')
    const isOffered = settings.enabled || settings.beside
    if (!isOffered || numberToPayTo(settings, way) === '') throw refusal('way_not_offered')
  }

/** While alternative payments are on they pay the cart; beside the card only if chosen. The office does not ask. */
export const checkoutTerms = (needs: PaymentsNeeds): CheckoutTerms => {
  const { knex } = needs.database
  return {
    refuseOtherWay: refuseOtherWay(needs),

    termsOf: async (attemptId, { userId, payBy, useCredit, office, plan, at }, lines) => {
      const way = { kind: 'alternative' as const, ...(payBy && { payBy }) }
      if (useCredit && (office || (plan && payBy === null))) throw refusal('credit_short')
      if (office) return { ...way, companyRef: await claimReference(knex, attemptId) }
      const { enabled, unpaidUntil } = await readBypass(needs)
      if (payBy === null && !enabled) return { kind: 'free', companyRef: null }
      const missed = unpaidUntil === 'cutoff' ? tooLateForTransfer(lines, at) : null
      if (missed !== null) throw tooLateFor(missed, enabled)
      await refuseTooManyUnpaid(needs, userId, lines)
      const counted = await countUnpaidOfAccount(needs, { userId, attemptId, at }, lines)
      return { ...way, companyRef: await claimReference(knex, attemptId), counted }
    },
  }
}

/** With the card replaced there is no other way than the office. */
const tooLateFor = (date: SchoolDate, isCardReplaced: boolean) => {
  const insteadDo = isCardReplaced ? 'Ask the office.' : 'Pay by card or on your phone.'
  return new Refusal(
    'too_late_for_transfer',
    `A transfer would come too late for ${weekdayName(date)}. ${insteadDo}`,
  )
}
