import * as fc from 'fast-check'
import { sum } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { activeEntries } from '#modules/credit/family-credit'
import { owedOf } from '#modules/refunds/refund'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { allTried, tries } from '../support/tries'
import { refundOffice } from './refund-office'

type Step =
  | { do: 'place'; status: 'confirmed' | 'pending'; price: number }
  | { do: 'change'; order: number; to: 'cancelled' | 'pending' | 'completed' | 'paid' }
  | { do: 'settle'; order: number }
  | { do: 'pay-back'; order: number; amount: number | null }
  | { do: 'cancel-for-credit' | 'settle-credit' | 'turn-into-credit'; order: number }
  | { do: 'pay-out-credit'; amount: number }
  | { do: 'absent'; order: number; absent: boolean }

const order = fc.integer({ min: 1, max: 3 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('place' as const),
    status: fc.constantFrom('confirmed' as const, 'confirmed' as const, 'pending' as const),
    price: fc.constantFrom(4550, 4550, 3001, 0),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      order,
      to: fc.constantFrom(
        'cancelled' as const,
        'cancelled' as const,
        'pending' as const,
        'completed' as const,
        'paid' as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), order }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'cancel-for-credit' as const,
        'settle-credit' as const,
        'settle-credit' as const,
        'turn-into-credit' as const,
      ),
      order,
    }),
  },
  fc.record({ do: fc.constant('pay-out-credit' as const), amount: fc.constantFrom(1, 4550) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pay-back' as const),
      order,
      amount: fc.constantFrom(null, null, 1, 3000, 4550),
    }),
  },
)

/** What is done about the first order of a child who is ill; nobody spends what was given for that. */
const anyStepOfAnIllChild: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ do: 'absent', order: 1, absent: true } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'change', order: 1, to: 'cancelled' } as const) },
  { weight: 3, arbitrary: fc.constant({ do: 'settle', order: 1 } as const) },
  { weight: 3, arbitrary: fc.constant({ do: 'settle-credit', order: 1 } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pay-back' as const),
      order: fc.constant(1),
      amount: fc.constantFrom(null, 1000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      { do: 'change', order: 1, to: 'pending' },
      { do: 'absent', order: 1, absent: false },
      { do: 'cancel-for-credit', order: 1 },
      { do: 'turn-into-credit', order: 1 },
    ),
  },
)

type Office = ReturnType<typeof refundOffice>
const idOf = (number: number) => `118.2026-09-15.${number}`

const take = async (office: Office, step: Step, index: number): Promise<unknown> => {
  switch (step.do) {
    case 'place':
      return office.place(index, step.status, step.price)
    case 'change':
      return office.change(idOf(step.order), step.to)
    case 'settle':
      return office.settle(idOf(step.order))
    case 'pay-back':
      return office.payBack(idOf(step.order), { amount: step.amount })
    case 'cancel-for-credit':
      return office.cancel(idOf(step.order), 'credit')
    case 'settle-credit':
      await office.settleRefundAsCredit(idOf(step.order))
      return office.settleCredit(idOf(step.order))
    case 'turn-into-credit':
      return office.turnIntoCredit(idOf(step.order))
    case 'pay-out-credit':
      return office.payOutCredit(step.amount)
    case 'absent':
      return office.absent(idOf(step.order), step.absent)
  }
}

// A refusal is an answer; a conflict that lasted is one too, and the job that met it comes again.
const taken = (office: Office, step: Step, index: number) =>
  take(office, step, index).catch((error: unknown) => {
    if (!(error instanceof Refusal || error instanceof WrongExpectedRevision)) throw error
  })

const isKept = ({ status }: { status: string }) => status === 'pending' || status === 'completed'

const books = async (office: Office) => {
  const orders = await office.orders()
  const refunds = await Promise.all(orders.map(({ id }) => office.refund(id)))
  const credit = await office.credit()
  const paidFor = orders.filter(({ payment_status }) => payment_status === 'confirmed')
  const backOf = (index: number) => {
    const refund = refunds[index]
    const money =
      refund && 'payouts' in refund ? refund.payouts.filter(({ method }) => method !== 'credit') : []
    return sum(money.map(({ amount }) => amount))
  }
  return {
    orders,
    paid: sum(paidFor.map(({ price }) => price)),
    kept:
      sum(paidFor.filter(isKept).map(({ price }) => price)) -
      sum(
        paidFor
          .filter(isKept)
          .flatMap(({ id }) => activeEntries(credit, id, ['absent']))
          .map(({ amount }) => amount),
      ),
    owed: sum(refunds.map(owedOf)),
    back: sum(orders.map((_row, index) => backOf(index))),
    /** As credit: what of it can be spent, and what was paid out. */
    credit: credit.balance,
    paidOut: sum([...credit.payouts.values()].map(({ amount }) => amount)),
    keptAndPaidBack: orders.filter((row, index) => isKept(row) && backOf(index) > 0),
  }
}

const settleAll = async (office: Office, orders: { id: string }[]) => {
  for (const { id } of orders) {
    await office.settle(id)
    await office.settleRefundAsCredit(id)
    await office.settleCredit(id)
  }
}

const balances = async (office: Office) => {
  await settleAll(office, (await books(office)).orders)
  const { paid, kept, owed, back, credit, paidOut, keptAndPaidBack } = await books(office)
  expect(keptAndPaidBack).toEqual([])
  expect(credit).toBeGreaterThanOrEqual(0)
  expect(kept + owed + back + credit + paidOut).toBe(paid)
  return { owed, back, kept, credit, paidOut }
}

type Seen = Awaited<ReturnType<typeof balances>>

const add = (seen: Seen, more: Seen): void => {
  for (const name of Object.keys(seen) as (keyof Seen)[]) seen[name] += more[name]
}

const cancelledFirst: Step[] = [
  { do: 'place', status: 'confirmed', price: 4550 },
  { do: 'change', order: 1, to: 'cancelled' },
  { do: 'settle', order: 1 },
]

test('ordered, cancelled, reopened, paid back in any order: paid = kept + owed + paid back + credit', async () => {
  const seen = { owed: 0, back: 0, kept: 0, credit: 0, paidOut: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      const office = refundOffice()
      for (const [index, step] of steps.entries()) {
        await taken(office, step, index)
        expect((await books(office)).keptAndPaidBack).toEqual([])
      }
      add(seen, await balances(office))
    }),
    { numRuns: tries(150), seed: 20_260_914 },
  )
  expect(Object.entries(seen).filter(([, amount]) => amount === 0)).toEqual([])
})

const creditFirst: Step[] = [
  { do: 'place', status: 'confirmed', price: 4550 },
  { do: 'cancel-for-credit', order: 1 },
  { do: 'settle-credit', order: 1 },
]

const illFirst: Step[] = [
  { do: 'place', status: 'confirmed', price: 4550 },
  { do: 'absent', order: 1, absent: true },
]

test.each([
  [
    'everybody acts at once, step by step between one another',
    anyStep,
    cancelledFirst,
    ['owed', 'back', 'kept', 'credit'],
  ],
  [
    'a family has credit, which is paid out meanwhile',
    anyStep,
    creditFirst,
    ['owed', 'kept', 'credit', 'paidOut'],
  ],
  ['children are ill meanwhile', anyStepOfAnIllChild, illFirst, ['owed', 'back', 'kept', 'credit']],
] as const)('and also when %s', async (_what, step, first, reached) => {
  const seen = { owed: 0, back: 0, kept: 0, credit: 0, paidOut: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.boolean(),
      fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }),
      async (scheduler, isOwing, steps) => {
        let calm = true
        const office = refundOffice(({ read, append }) => ({
          read: (streams) =>
            calm ? read(streams) : scheduler.schedule(Promise.resolve()).then(() => read(streams)),
          append: (appends) =>
            calm ? append(appends) : scheduler.schedule(Promise.resolve()).then(() => append(appends)),
        }))
        // In half the schools money is owed already, in the others that happens beside the rest.
        if (isOwing) for (const [index, one] of first.entries()) await taken(office, one, index)
        calm = false
        const atOnce = isOwing ? steps : [...first, ...steps]
        const all = Promise.all(atOnce.map((one, index) => taken(office, one, index + 3)))
        await scheduler.waitFor(all)
        calm = true
        add(seen, await balances(office))
      },
    ),
    { numRuns: tries(400), seed: 20_260_916 },
  )
  if (allTried) expect(reached.filter((name) => seen[name] === 0)).toEqual([])
})
