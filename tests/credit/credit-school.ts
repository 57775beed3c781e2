import { v5 } from 'uuid'
import { parseOrderId } from '#kernel/id'
import { moneyOf } from '#kernel/meal-line'
import { sum, type Remedy } from '#kernel/money'
import { isWrong } from '#modules/audit/checks/audit-report'
import { balancesOf, creditFaults } from '#modules/audit/checks/balance.decide'
import { journalSums } from '#modules/audit/checks/journal-sums'
import { heldOf } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { unresolvedLines } from '#modules/payments/attempt/payment-attempt'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { payoutIdFor } from '#modules/refunds/refund.commands'
import { loadStream } from '#platform/event-store/command-handler'
import { beginning, type EventStore } from '#platform/event-store/event-store'
import { after, bupe, chanda, cycle, mary, monday7, nshima } from '../ordering/lunches'
import { bank } from '../payments/machine/bank'
import { type Death } from '../payments/machine/failing-store'
import { serviceProcess } from '../payments/machine/process'
import { eventsAfter, rowsInMemory, tablesInMemory } from '../payments/machine/tables'
import { patientWorker } from '../payments/machine/worker'
import { nshimaOn } from '../payments/till'

/** Something that somebody does to Mary's money. */
export type Act =
  | { what: 'gift' | 'pay out'; amount: number }
  | { what: 'card' | 'place'; days: number[]; useCredit: boolean }
  | { what: 'pay' | 'decline' | 'look'; token: number }
  | { what: 'cancel'; order: number; remedy: Remedy }
  | { what: 'reopen' | 'waive' | 'retry'; order: number }
  | { what: 'pay back' | 'turn into credit'; refund: number }
  | { what: 'block' | 'open' | 'sweep' | 'work' }
  | { what: 'time'; minutes: number }

const by = { actor: `user:${mary}`, correlationId: 'request-1' }
const namespace = '8d1b1f0e-0000-4000-8000-000000000001'
const idOf = (what: string, number: number) => v5(`${what}/${number}`, namespace)
const pick = <Row>(rows: readonly Row[], number: number): Row | undefined =>
  rows[number % Math.max(1, rows.length)]
const linesOn = (days: number[]) => [...new Set(days)].map((day) => nshimaOn(day))

/** One family's money at a school whose processes die; what was asked for has a key, and is asked again by it. */
export const creditSchool = (store: EventStore, isSplit: boolean, pause: () => Promise<unknown>) => {
  const provider = bank('TOKEN-', pause)
  const clock = { now: monday7 }
  const school = {
    cycle: cycle as typeof cycle | null,
    items: [nshima],
    childrenOf: new Map([[mary, [chanda, bupe]]]),
    discountOf: () => 0,
    isBroken: false,
  }
  const database = tablesInMemory(store)
  const rowsNow = rowsInMemory(store)
  const worker = patientWorker(store, beginning)
  const begin = (death: Death | null) =>
    serviceProcess(
      {
        store,
        isSplit,
        database,
        viewsInclude: async () => {},
        provider: provider.port,
        clock,
        pause,
        school,
      },
      death,
    )
  type Process = ReturnType<typeof begin>
  const keys: string[] = []

  const perform = async (process: Process, act: Act, number: number): Promise<unknown> => {
    const account = pick([...provider.accounts.values()], 'token' in act ? act.token : 0)
    switch (act.what) {
      case 'gift':
        return process.changeCredit(mary, by, (credit, now) => {
          const entry = {
            userId: mary,
            entryId: `gift/${number}`,
            kind: 'gift' as const,
            amount: act.amount,
            attemptId: null,
            about: { orderId: null, reference: null },
            text: 'A gift',
          }
          return familyCredit.decide({ kind: 'give', entry, now }, credit)
        })
      case 'pay out':
        return process.changeCredit(mary, by, (credit, now) => {
          const payoutId = idOf('payout', number)
          const payout = { userId: mary, payoutId, amount: act.amount, reference: null, by: 5 }
          return familyCredit.decide({ kind: 'pay-out', payout: { ...payout, method: 'cash' }, now }, credit)
        })
      case 'card': {
        const lines = linesOn(act.days)
        const customer = { name: 'Mary', email: 'mary@example.org', phone: null }
        const idempotencyKey = `cart-${number}`
        keys.push(idempotencyKey)
        const asked = {
          userId: mary,
          customer,
          prompt: null,
          ip: '192.0.2.1',
          lines,
          useCredit: act.useCredit,
          idempotencyKey,
          by,
        }
        const { token } = await process.start({
          ...asked,
          claimedAmount: lines.length * 45.5,
          site: 'https://lunch.school.test',
        })
        provider.accounts.get(token)!.isShown = true
        return token
      }
      case 'place': {
        const lines = linesOn(act.days)
        const idempotencyKey = `cart-${number}`
        keys.push(idempotencyKey)
        const { useCredit } = act
        return process.place({
          userId: mary,
          lines,
          useCredit,
          payBy: null,
          body: { lines, useCredit },
          idempotencyKey,
          by,
        })
      }
      case 'pay':
        return account && provider.pay(account, 'exactly')
      case 'decline':
        if (account?.isShown && account.state === 'open') account.state = 'declined'
        return undefined
      case 'look': {
        const key = pick(keys, act.token)
        return key && process.settle(attemptIdFor(mary, key), { source: 'return' }, by)
      }
      case 'waive':
      case 'retry': {
        const key = pick(keys, act.order)
        if (!key) return undefined
        const id = attemptIdFor(mary, key)
        return act.what === 'waive' ? process.waive(id, 'Closed', by) : process.retry(id, [], by)
      }
      case 'cancel':
      case 'reopen': {
        const order = pick((await rowsNow()).orders, act.order)
        if (!order) return undefined
        if (act.what !== 'cancel') return process.changeOrders([order.id], 'pending', by)
        const { remedy } = act
        return process.changeSlot(parseOrderId(order.id)!.lunch, by, (slot, now) =>
          mealSlot.decide(
            { kind: 'cancel', orderId: order.id, by: { role: 'administrator' }, remedy, now },
            slot,
          ),
        )
      }
      case 'pay back':
      case 'turn into credit': {
        await worker.run(process)
        const refund = pick(
          (await rowsNow()).refunds.filter(({ owed }) => owed > 0),
          act.refund,
        )
        if (!refund) return undefined
        const refundId = refund.id
        const key = `back-${number}`
        if (act.what === 'turn into credit')
          return process.turnIntoCredit({ refundId, idempotencyKey: key, administrator: 5, by })
        const payout = { amount: null, method: 'cash' as const, reference: null, note: null, by: 5 }
        return process.payBack({ refundId, payout, payoutId: payoutIdFor(refundId, key), by })
      }
      case 'block':
        school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 3 }] }
        return undefined
      case 'open':
        school.cycle = cycle
        return undefined
      case 'sweep':
        return Promise.allSettled(process.sweeps.map(({ run }) => run()))
      case 'work':
        return worker.run(process)
      case 'time':
        clock.now = after(clock.now, act.minutes)
        return undefined
    }
  }

  /** Sweeps and jobs until nothing changes, as time passes until nothing is due. */
  const drainQueues = async () => {
    const process = begin(null)
    let faults: unknown[] = []
    for (const minutes of [0, 1, 3, 40, 40, 25 * 60, 10]) {
      clock.now = after(clock.now, minutes)
      for (let round = 0, before = ''; round < 12; round += 1) {
        faults = await worker.run(process)
        for (const { run } of process.sweeps) await run().catch((fault: unknown) => faults.push(fault))
        const now = JSON.stringify(await rowsNow())
        if (now === before) break
        before = now
      }
    }
    return faults
  }

  const attempts = async () =>
    Promise.all([...new Set(keys)].map((key) => begin(null).attemptOf(attemptIdFor(mary, key))))

  /** Where all money and credit is, told by the bank, the orders, the refunds and the account. */
  const reckoned = async () => {
    const { orders, refunds } = await rowsNow()
    const { state: credit } = await loadStream(store, familyCredit, mary)
    const unresolved = (await attempts()).flatMap((attempt) =>
      attempt.status === 'blocked' || attempt.status === 'paid' ? unresolvedLines(attempt) : [],
    )
    const { add, sums } = journalSums()
    add(await eventsAfter(store, beginning))
    const paidBack = sums.stored.get('paid_back') ?? 0
    return {
      taken: sum([...provider.accounts.values()].map(({ taken }) => taken ?? 0)),
      gifts: sum(
        [...credit.given.values()].filter(({ kind }) => kind === 'gift').map(({ amount }) => amount),
      ),
      kept: sum(
        orders
          .filter(({ status }) => status === 'pending' || status === 'completed')
          .map(({ price }) => price),
      ),
      owed: sum(refunds.map(({ owed }) => owed)),
      back: paidBack,
      waiting: sum(unresolved.map(moneyOf)),
      balance: credit.balance,
      held: heldOf(credit),
      paidOut: sum([...credit.payouts.values()].map(({ amount }) => amount)),
      wrong: [...balancesOf(sums, clock.now).filter(isWrong), ...creditFaults(sums.accounts.values())],
    }
  }

  /** The balances after every change of the account. */
  const balances = async () =>
    (await loadStream(store, familyCredit, mary)).events.flatMap(({ data }) =>
      'balanceAfter' in data ? [data.balanceAfter] : [],
    )

  return { begin, perform, drainQueues, reckoned, balances }
}
