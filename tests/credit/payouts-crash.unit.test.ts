import { creditCommands, payOutMany } from '#modules/credit/credit.routes'
import { creditGiven } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { dailyPayoutTotal, dailyPayoutsBy } from '#modules/credit/payouts'
import { loadStream } from '#platform/event-store/command-handler'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { Crash, mortalStore, type Death } from '../payments/machine/failing-store'
import { newEvents } from '../support/recorded-events'
import { standIn } from '../support/stand-ins'

const now = () => new Date('2026-09-14T07:00:00.000Z')
const by = { actor: 'user:7', correlationId: 'request-1' }
const families = [11, 12, 13]

const storeWithCredit = async () => {
  const store = memoryEventStore()
  for (const userId of families) {
    const gift = { entryId: `gift/${userId}`, kind: 'gift' as const, amount: userId * 100, attemptId: null }
    const about = { orderId: null, reference: null }
    const more = { about, text: 'Fair', balanceAfter: gift.amount, at: now().toISOString() }
    const stream = familyCredit.streamOf(userId)
    const events = newEvents(`gift ${userId}`, creditGiven({ userId, ...gift, ...more }))
    await store.append([{ stream, expectedRevision: -1, events }])
  }
  return store
}

const payAll = (
  eventStore: Parameters<typeof mortalStore>[0]['store'],
  isSplit: boolean,
  death: Death | null,
) => {
  const needs = standIn({
    eventStore: mortalStore({ store: eventStore, isSplit, pause: async () => undefined }, death),
    now,
    zone: 'Africa/Lusaka',
    refundApprovalAbove: async () => 1_000_000,
    provenTransfers: async () => new Set<string>(),
    identity: { personOf: async (id: number) => ({ id, role: 'parent' }) },
  })
  return payOutMany(
    needs as never,
    creditCommands(needs as never),
  )({
    parentIds: families,
    method: 'cash',
    reference: 'box 1',
    idempotencyKey: 'many',
    by,
    administrator: 7,
  })
}

const deaths = [false, true].flatMap((isSplit) =>
  Array.from({ length: isSplit ? 9 : 3 }, (_, at) => at).flatMap((at) =>
    (['before', 'after'] as const).map(
      (when) => [at, when, isSplit ? 'stream by stream' : 'together'] as const,
    ),
  ),
)

test.each(deaths)('a crash at append %i, %s it, written %s, repeats no payout', async (at, when, how) => {
  const store = await storeWithCredit()
  const isSplit = how === 'stream by stream'
  await expect(payAll(store, isSplit, { at, when })).rejects.toBeInstanceOf(Crash)
  for (const again of [1, 2])
    expect([again, await payAll(store, isSplit, null)]).toEqual([again, { paid: 3, amount: 36, skipped: [] }])
  for (const userId of families) {
    const { state } = await loadStream(store, familyCredit, userId)
    expect([state.balance, ...[...state.payouts.values()].map(({ amount }) => amount)]).toEqual([
      0,
      userId * 100,
    ])
  }
  const counted = await loadStream(store, dailyPayoutsBy, { administrator: 7, date: '2026-09-14' })
  expect(dailyPayoutTotal(counted.state, 'payout')).toBe(3600)
})
