import { setAvailability } from '#contracts/catalogue'
import { closeDays, undoClosure } from '#contracts/closures'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder } from '#contracts/ordering'
import { updateAttempt } from '#contracts/payments'
import { acceptMismatch, retryAttempt, setAttemptStatus, waiveRemainder } from '#contracts/payments-console'
import { checkCardRefund, completeRefund, listRefunds, refundToCard } from '#contracts/refunds'
import { eventually } from '../support/eventually'
import type { Stage } from './stage'

const reason = { reason: 'A bank fee' }

/** Card payments that go well, badly and not at all. */
export const payByCardInEveryWay = async (stage: Stage): Promise<void> => {
  const { school, office, stew, line, begin, press, script, verify, family, attemptOf } = stage
  const esther = await family('esther')
  for (const day of [1, 2]) {
    const token = await begin(esther, [line(esther, stew, 2, day)])
    await script(token, 'UNDER')
    await press(token, 'pay')
    await verify(esther, token)
    const params = { id: await attemptOf(token) }
    await office.call(day === 1 ? acceptMismatch : waiveRemainder, { params, body: reason })
  }
  const naomi = await family('naomi')
  await begin(naomi, [line(naomi, stew, 2, 1)])
  const left = await begin(naomi, [line(naomi, stew, 2, 1)])
  const body = { transactionId: left, transactionStatus: 'failed', errorDetails: 'The page was closed' }
  await naomi.parent.call(updateAttempt, { body })
  await office.call(setAttemptStatus, {
    params: { transactionId: left },
    body: { status: 'Payment Abandoned' },
  })
  const leah = await family('leah')
  for (const [index, outcome] of ['decline', 'cancel', 'slow'].entries()) {
    const token = await begin(leah, [line(leah, stew, 3, 2 + index)])
    await press(token, outcome)
    await verify(leah, token)
    if (outcome === 'decline') await office.call(retryAttempt, { params: { id: await attemptOf(token) } })
    if (outcome !== 'slow') continue
    school.setClock(new Date(school.now().getTime() + 180_000))
    await verify(leah, token)
  }
  const dinah = await family('dinah')
  await begin(dinah, [line(dinah, stew, 2, 1)])
}

/** A day is closed before a payment for it comes: its money goes back, the other meal is ordered. */
export const payForAClosedDay = async (stage: Stage): Promise<void> => {
  const { office, stew, line, begin, press, verify, family } = stage
  const hannah = await family('hannah')
  const token = await begin(hannah, [line(hannah, stew, 4, 4), line(hannah, stew, 4, 5)])
  const { id } = await office.call(closeDays, {
    params: { id: stage.cycleId },
    body: { dates: ['2026-10-09'], reason: 'Public holiday', remedy: 'credit' },
  })
  await press(token, 'pay')
  await verify(hannah, token)
  await office.call(undoClosure, { params: { id } })
}

/** Meals that are withdrawn while they are paid for: the office gives one up and changes the other. */
export const payForWhatIsGone = async (stage: Stage): Promise<void> => {
  const { office, cake, soup, steak, pie, line, begin, press, verify, family, attemptOf } = stage
  const deborah = await family('deborah')
  const miriam = await family('miriam')
  const tokens = [
    await begin(deborah, [line(deborah, soup, 3, 2), line(deborah, cake, 3, 3)]),
    await begin(miriam, [line(miriam, cake, 3, 3)]),
  ] as const
  await office.call(setAvailability, { params: { id: cake.id }, body: { isAvailable: false } })
  for (const [index, who] of [deborah, miriam].entries()) {
    await press(tokens[index]!, 'pay')
    await verify(who, tokens[index]!)
  }
  await office.call(waiveRemainder, { params: { id: await attemptOf(tokens[0]) }, body: reason })
  const { menuItemId, studentId } = line(miriam, soup, 3, 4)
  const cartItems = [{ index: 0, menuItemId, studentId, weekNumber: 3, dayOfWeek: 4, category: 'chicken' }]
  await office.call(retryAttempt, { params: { id: await attemptOf(tokens[1]) }, body: { cartItems } })
  const rachel = await family('rachel')
  const taken = await begin(rachel, [line(rachel, pie, 3, 4)])
  await press(taken, 'cancel')
  await verify(rachel, taken)
  await stage.pay(rachel, [line(rachel, pie, 3, 5), line(rachel, steak, 3, 2)])
}

/** Paid meals that are cancelled, and money that goes back to the card or does not. */
export const refundToCards = async (stage: Stage): Promise<void> => {
  const { office, bursar, stew, line, pay, script, ordersOf, family, owed } = stage
  await stage.books({ cardRefunds: true, refundApprovalAbove: null, tpin: '1001234567', vatPercent: 16 })
  const mary = await family('mary')
  const token = await pay(
    mary,
    [1, 2, 4].map((day) => line(mary, stew, 2, day)),
  )
  const toCard = (id: string) => bursar.call(refundToCard, { params: { id } })
  const cancelled = (await ordersOf(mary)).map(({ id }) => id)
  for (const id of cancelled) {
    await mary.parent.call(cancelOrder, { params: { id } })
    await owed(id)
  }
  await toCard(cancelled[0]!)
  await script(token, 'REFUNDNO')
  await toCard(cancelled[1]!)
  await bursar.call(completeRefund, { params: { id: cancelled[1]! }, body: { method: 'cash' } })
  await office.call(setOrderStatus, { body: { orderIds: [cancelled[2]!], status: 'pending' } })
  for (const [name, tag] of [
    ['ruth', 'REFUNDLOST'],
    ['chola', 'REFUNDRELEASE'],
  ] as const) {
    const who = await family(name)
    const other = await pay(who, [line(who, stew, 2, 1)])
    const { id } = (await ordersOf(who))[0]!
    await who.parent.call(cancelOrder, { params: { id } })
    await owed(id)
    await script(other, tag)
    await toCard(id)
  }
}

/** A day later: the provider has released one refund, and of the other a person finds out that nothing went back. */
export const followCardRefunds = async ({ bursar, office, sweep, owed }: Stage): Promise<void> => {
  const refundOf = async (text: string) => {
    const { data } = await office.call(listRefunds, { query: { status: 'all', text } })
    return data[0]!.id
  }
  const lost = await refundOf('ruth Golden')
  await eventually(async () => {
    await sweep('follow-card-refunds')
    return (await owed(lost)).allowed.check
  })
  const body = { outcome: 'failed', note: 'Not in the portal' } as const
  await bursar.call(checkCardRefund, { params: { id: lost }, body })
  await bursar.call(completeRefund, { params: { id: lost }, body: { method: 'mobile_money' } })
}
