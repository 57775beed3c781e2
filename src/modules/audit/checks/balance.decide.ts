import { groupedBy } from '#kernel/grouped-by'
import { type Ngwee, sum } from '#kernel/money'
import { stands, type BookedAttempt, type BookedOrder, type BookedRefund } from '#modules/books/index'
import { kwacha } from '../history/entry'
import type { Balance } from './audit-report'
import type { AttemptSum, CreditAccount, JournalSums, Rest } from './journal-sums'

const graceMs = 3_600_000

type Recent = (rest: Rest) => boolean
const recently =
  (now: Date): Recent =>
  ({ changedAt }) =>
    now.getTime() - Date.parse(changedAt) <= graceMs

/** What the journal has of one attempt. */
type Attempt = {
  id: string
  row: BookedAttempt | null
  orders: readonly BookedOrder[]
  refunds: readonly BookedRefund[]
  rests: readonly Rest[]
  sum: (...sums: AttemptSum[]) => Ngwee
}

/** One balance per attempt, including attempts that only orders, refunds or credit name. */
export const balancesOf = (sums: JournalSums, now: Date): Balance[] => {
  const { attempts, orders, refunds } = sums.rows
  const ordersBy = groupedBy(orders.values(), (order) => order.attempt_id)
  const refundsBy = groupedBy(refunds.values(), (refund) => refund.attempt_id)
  const restsBy = groupedBy(sums.rests.values(), (rest) => rest.attemptId ?? '')
  const ids = new Set([...attempts.keys(), ...ordersBy.keys(), ...refundsBy.keys(), ...sums.attempts.keys()])
  return [...ids].map((id) => {
    const of = sums.attempts.get(id)
    const attempt: Attempt = {
      id,
      row: attempts.get(id) ?? null,
      orders: ordersBy.get(id) ?? [],
      refunds: refundsBy.get(id) ?? [],
      rests: (restsBy.get(id) ?? []).filter((rest) => !isOfTransfer(rest)),
      sum: (...kinds) => sum(kinds.map((kind) => of?.get(kind) ?? 0)),
    }
    return balanceOf(attempt, recently(now))
  })
}

const isOfTransfer = ({ kind, what }: Rest): boolean => kind === 'transferred' || what.startsWith('transfer/')

const balanceOf = (attempt: Attempt, isRecent: Recent): Balance => {
  const { id, row, orders, sum: of } = attempt
  const { held, heldCredit, wrong } = heldOf(attempt)
  const { awaited, shortfall } = awaitedOf(attempt)
  const missing = awaited.filter((rest) => !isRecent(rest))
  return {
    attemptId: id,
    kind: row?.kind ?? 'unknown',
    reference: row?.reference ?? null,
    paidIn: of('received', 'fee', 'undecided') - of('transferred'),
    creditSpent: of('credit_spent') + heldCredit,
    creditTakenBack: of('taken_back'),
    creditGiven: of('given'),
    shortfall,
    kept: of('meal') - of('unpaid', 'granted'),
    paidBack: of('paid_back', 'given_up'),
    due: of('owed'),
    toBeOwed: sum(awaited.filter(isRecent).map(({ amount }) => amount)),
    fee: of('fee'),
    held: held + of('undecided'),
    heldUnknown: row?.money === 'undecided' && row.received === null,
    unpaid: of('unpaid'),
    difference: wrong + sum(missing.map(({ amount }) => amount)) - of('imbalance'),
    clues: [
      ...attemptClues(row, orders),
      ...missing.flatMap((rest) => missingClue(rest, attempt)),
      ...attempt.refunds.flatMap((refund) => refundClues(refund, attempt, missing)),
    ],
  }
}

/** `held` waits to become orders. `heldCredit` is held of meals that are orders already; `wrong` is left of meals that are settled. */
const heldOf = ({ id, row, orders, rests }: Attempt) => {
  const amounts = (kind: Rest['kind']) =>
    new Map(rests.filter((rest) => rest.kind === kind).map(({ what, amount }) => [what, amount]))
  const ordered = new Set(orders.filter(({ status }) => status !== 'withdrawn').map(({ line }) => line))
  const unresolved = new Set(
    row?.lines
      .filter(({ index, orderId, waived }) => orderId === null && waived === null && !ordered.has(index))
      .map(({ index }) => `${id}.${index}`),
  )
  const credit = amounts('credit_held')
  const result = { held: 0, heldCredit: 0, wrong: 0 }
  for (const [line, amount] of amounts('held'))
    if (unresolved.has(line) && amount > 0) result.held += amount
    else result.wrong += amount
  for (const line of ordered) result.heldCredit += credit.get(`${id}.${line}`) ?? 0
  return { ...result, wrong: result.wrong + result.heldCredit }
}

const awaiting: ReadonlySet<string> = new Set<Rest['kind']>(['to_pay_back', 'to_credit', 'charged', 'change'])

/** What waits for a refund or for credit. Of an accepted shortfall nothing is given back. */
const awaitedOf = ({ rests, orders, refunds, sum: of }: Attempt) => {
  const isOrder = new Set(orders.map(({ id }) => id))
  const refunded = new Set(refunds.filter(isOpen).map(({ id }) => id))
  let shortfall = of('written_off')
  const awaited = rests.filter(({ kind, what, amount, isMet }) => {
    if (!awaiting.has(kind)) return false
    const isLess = isOrder.has(what) && amount > 0 && (refunded.has(what) || (kind === 'to_credit' && isMet))
    if (!isLess || amount > shortfall) return true
    shortfall -= amount
    return false
  })
  return { awaited, shortfall }
}

const isOpen = ({ status }: BookedRefund): boolean => status !== 'withdrawn'

const missingClue = ({ kind, what, amount }: Rest, { id, orders, refunds }: Attempt): string[] => {
  if (amount < 0) return []
  const order = orders.find((one) => one.id === what)
  const told = `nobody was ever told to pay its ${kwacha(amount)} back`
  if (order && kind === 'to_credit')
    return [`order ${what} is ${order.status}, and its ${kwacha(amount)} was never given as credit`]
  if (kind !== 'to_pay_back' || refunds.some((refund) => refund.id === what && isOpen(refund))) return []
  if (order) return [`order ${what} is ${order.status}, and ${told}`]
  if (what === `${id}.surplus`)
    return [`${kwacha(amount)} was paid too much, and nobody was ever told to pay it back`]
  return [`meal ${Number(what.slice(id.length + 1)) + 1} was given up, and ${told}`]
}

const attemptClues = (attempt: BookedAttempt | null, orders: readonly BookedOrder[]): string[] => {
  if (!attempt) return ['there is no such checkout in the history']
  const known = new Set(orders.map((order) => order.id))
  const total = sum(attempt.lines.map(({ price }) => price))
  return [
    ...(total === attempt.total
      ? []
      : [`its meals cost ${kwacha(total)}, its total is ${kwacha(attempt.total)}`]),
    ...(attempt.money === 'claimed'
      ? ['its meals were treated as paid, and no payment that fits is known']
      : []),
    ...attempt.lines.flatMap(({ orderId }) =>
      orderId === null || known.has(orderId)
        ? []
        : [`order ${orderId}, which it says was made, is not in the history of the meal slots`],
    ),
    ...orders.flatMap(({ id, line, placed_price: price, status }) => {
      const paidFor = attempt.lines.find(({ index }) => index === line)?.price
      return paidFor === price || status === 'withdrawn'
        ? []
        : [
            `order ${id} costs ${kwacha(price)}, and ${paidFor === undefined ? 'no meal' : kwacha(paidFor)} was in the cart for it`,
          ]
    }),
  ]
}

/** Contradictions of a refund with itself, its order or its part of the attempt. */
const refundClues = (refund: BookedRefund, { orders }: Attempt, missing: readonly Rest[]): string[] => {
  if (!isOpen(refund)) return []
  const { id, amount, owed, paid_back, order_id: orderId } = refund
  const sums = `of refund ${id}, ${kwacha(amount)} in all, ${kwacha(paid_back)} went back and ${kwacha(owed)} is owed`
  const rest = missing.find(({ kind, what }) => kind === 'to_pay_back' && what === id)?.amount ?? 0
  const order = orders.find((one) => one.id === orderId)
  return [
    ...(owed + paid_back === amount ? [] : [sums]),
    ...(orderId === null && rest !== 0
      ? [`refund ${id} is of ${kwacha(amount)}, and ${kwacha(amount + rest)} was decided`]
      : []),
    ...(orderId !== null && !order ? [`the order of refund ${id} is not in the history`] : []),
    ...(order && rest !== 0
      ? [
          stands(order)
            ? `order ${order.id} is active, and is refunded as well`
            : `refund ${id} is not what its order cost, ${kwacha(order.price)}`,
        ]
      : []),
    ...(order?.status === 'refunded' && owed > 0
      ? [`order ${order.id} is marked as refunded, and ${kwacha(owed)} of it is still owed`]
      : []),
  ]
}

/** Contradictions among transfers, the orders they pay and the credit from them, one sentence each. Skips the last hour. */
export const transferFaults = ({ rests, rows, transferFaults }: JournalSums, now: Date): string[] => {
  const isRecent = recently(now)
  return [
    ...transferFaults,
    ...[...rests.values()].flatMap((rest) => {
      if (!isOfTransfer(rest) || isRecent(rest)) return []
      const { kind, what, amount } = rest
      if (kind !== 'transferred') return [surplusFault(what, amount)]
      const order = rows.orders.get(what)
      const told = order?.transfer_id ? order.money : 0
      return [
        `Order ${what} counts ${kwacha(told)} as paid by transfers, and these pay ${kwacha(told + amount)} for it.`,
      ]
    }),
  ]
}

const surplusFault = (entry: string, amount: Ngwee): string => {
  const [, transferId, , userId] = entry.split('/')
  const what = amount > 0 ? 'was never given' : 'is still there, though it was undone'
  return `The surplus of ${kwacha(Math.abs(amount))} of transfer ${transferId} for user ${userId} ${what}.`
}

/** Positive: credit given but not accounted for; negative: accounted for but never given. */
const creditDifference = (account: CreditAccount): number =>
  account.given - (account.spent + account.taken_back + account.paid_out + account.held + account.balance)

export const creditFaults = (accounts: Iterable<CreditAccount>): string[] =>
  [...accounts].flatMap((account) => {
    const { user_id, given, balance, held } = account
    const difference = creditDifference(account)
    if (balance < 0 || held < 0) return [`The credit of user ${user_id} is negative.`]
    if (difference === 0) return []
    const what =
      difference > 0 ? `${kwacha(difference)} is nowhere` : `${kwacha(-difference)} was never given`
    return [`The credit of user ${user_id}: of ${kwacha(given)} given ${what}.`]
  })

export const creditTotals = (accounts: Iterable<CreditAccount>): Omit<CreditAccount, 'user_id'> => {
  const totals = { given: 0, taken_back: 0, spent: 0, paid_out: 0, held: 0, balance: 0 }
  for (const account of accounts)
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += account[name]
  return totals
}
