import { payoutIdFor } from '#modules/refunds/refund.commands'
import { Refusal } from '#kernel/refusal'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { cycle } from '../../ordering/lunches'
import type { Act } from './acts'
import { menu, type CartBook, type Payout } from './books'
import { Crash } from './failing-store'
import { type ServiceProcess, type Environment } from './process'

/** In whose name everything is done; the log of who did it is not what these stories are about. */
export const by = { actor: 'user:1', correlationId: 'request-1' }
const bursar = 1

export const retry = (process: ServiceProcess, cart: CartBook, line: number, day: number | null) => {
  const to = cart.lines[line]
  const amendments = day === null || !to ? [] : [{ index: line, to: { ...to, dayOfWeek: day } }]
  return process.retry(cart.attemptId, amendments, by)
}

type School = Environment['school']

export const changeSchool = (
  school: School,
  wholeFamily: School['childrenOf'],
  change: Extract<Act, { what: 'school' }>['change'],
): void => {
  switch (change) {
    case 'block':
      school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 2 }] }
      return
    case 'open':
      Object.assign(school, { cycle: { ...cycle, blockedDays: [] }, items: menu, childrenOf: wholeFamily })
      return
    case 'item gone':
      school.items = menu.slice(1)
      return
    case 'child gone':
      school.childrenOf = new Map([...wholeFamily].map(([id, all]) => [id, all.slice(1)]))
      return
    case 'broken':
    case 'mended':
      school.isBroken = change === 'broken'
  }
}

export const xmlOf = (token: string) =>
  `<API3G><Result>000</Result><TransactionToken>${token}</TransactionToken></API3G>`

export const recordPayout = (process: ServiceProcess, { refundId, reference, amount }: Payout) => {
  const payout = { amount, method: 'cash' as const, reference, note: null, by: bursar }
  return process.payBack({ refundId, payout, payoutId: payoutIdFor(refundId, reference), by })
}

/** A refusal is an answer; a conflict that lasted and a database that is away are faults that the caller sees. */
export const isExpected = (error: unknown): boolean =>
  error instanceof Refusal ||
  error instanceof Crash ||
  error instanceof WrongExpectedRevision ||
  (error instanceof Error && error.message === 'database away')
