import { v5 } from 'uuid'
import { closeDays, undoClosure } from '#contracts/closures'
import { getCredit, giveCredit } from '#contracts/credit'
import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import {
  cancelOrders,
  substituteOrders,
  cancelOrder,
  changeOrder,
  placeOrders,
  setAbsence,
  type MealChange,
  saveOrderingRules,
} from '#contracts/ordering'
import {
  approvePayout,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  completeRefund,
  refundToCredit,
  withdrawRefund,
} from '#contracts/refunds'
import { sendMarks, serving, type SentMark } from '#contracts/serving'
import {
  pendingPayments,
  undoVerified,
  verifyPending,
  confirmStatement,
  ignoreStatementRow,
  statementRows,
  undoStatementRow,
} from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { airtelFile, uploaded } from '../support/upload-statement'
import type { Family, Stage } from './stage'

const row = (id: string, amount: string, text: string) =>
  `${id},16/09/2026 09:00:00,0977123456,GOLDEN,${amount},${text},Transaction Success`

/** Families that pay in another way: verified by hand, by a statement, undone. */
export const payInOtherWays = async (stage: Stage): Promise<void> => {
  const { office, stew, pie, line, order, family } = stage
  await stage.otherWays()
  const [agnes, rhoda, tabitha] = [await family('agnes'), await family('rhoda'), await family('tabitha')]
  const byHand = await order(agnes, [line(agnes, stew, 1, 5), line(agnes, pie, 2, 1)])
  await office.call(verifyPending, { body: { orderIds: byHand, transactionId: 'HAND 1', note: 'Seen' } })
  await office.call(undoVerified, { body: { orderIds: byHand } })
  await office.call(verifyPending, { body: { orderIds: byHand, transactionId: 'HAND 2' } })
  await agnes.parent.call(cancelOrder, { params: { id: byHand[1]! } })
  await stage.begin(rhoda, [line(rhoda, stew, 2, 1)])
  await order(rhoda, [line(rhoda, stew, 2, 1)], 'bank')
  await order(tabitha, [line(tabitha, stew, 2, 2)])
  const { data } = await office.call(pendingPayments, { query: { text: 'golden.' } })
  const referenceOf = ({ userId }: Family) =>
    data.find(({ parentId }) => parentId === userId)!.orders[0]!.reference
  const { id } = await uploaded(office, {
    bytes: airtelFile(
      row('G1', '45.50', referenceOf(rhoda)),
      row('G2', '50.00', referenceOf(tabitha)),
      row('G3', '700.00', 'rent'),
    ),
  })
  await office.call(confirmStatement, { params: { id }, body: { allExact: true } })
  const rows = (await office.call(statementRows, { params: { id } })).data
  const rowOf = (transactionId: string) => rows.find((one) => one.transactionId === transactionId)!
  const orderIds = rowOf('G2').named?.orderIds ?? []
  await office.call(confirmStatement, {
    params: { id },
    body: { rows: [{ rowId: rowOf('G2').id, orderIds, surplusTo: tabitha.userId }] },
  })
  await office.call(ignoreStatementRow, { params: { id: rowOf('G3').id } })
  await office.call(undoStatementRow, { params: { id: rowOf('G1').id } })
}

const idOf = (reply: object) => ('id' in reply ? String(reply.id) : '')

/** The params of what has been asked for. */
const asked = async (act: Promise<object>) => ({ params: { id: idOf(await act) } })

/** More than K50 a day leaves a family's account only with both; credit is given, spent, charged and paid out. */
export const spendCredit = async (stage: Stage): Promise<void> => {
  const { bursar, head, stew, steak, soup, line, begin, press, verify, pay, ordersOf, family } = stage
  await stage.books({ refundApprovalAbove: 50 })
  const eve = await family('eve')
  const params = { id: eve.userId }
  const give = (amount: number, name: string) =>
    bursar.call(giveCredit, { params, body: { amount, reason: name }, headers: { 'idempotency-key': name } })
  const payOut = (amount: number) =>
    bursar.call(payOutCredit, { params, body: { amount, method: 'cash', reference: 'Envelope' } })
  await give(20, 'Fete')
  await head.call(approvePayout, await asked(give(200, 'Prize')))
  await bursar.call(withdrawPayout, await asked(give(300, 'Mistake')))
  await payOut(10)
  await head.call(approvePayout, await asked(payOut(60)))
  await bursar.call(withdrawPayout, await asked(payOut(70)))
  await eve.parent.call(placeOrders, { body: { cartItems: [line(eve, steak, 2, 1)], useCredit: true } })
  const mixed = [line(eve, steak, 2, 2), line(eve, stew, 2, 4), line(eve, stew, 3, 2), line(eve, stew, 3, 4)]
  const held = await begin(eve, mixed, true)
  await press(held, 'cancel')
  await verify(eve, held)
  await pay(eve, mixed, true)
  const change = (id: string, { id: menuItemId, price }: { id: number; price: number }) => {
    const body: MealChange = { menuItemId, discountedPrice: price, category: 'beef', comments: '' }
    return eve.parent.call(changeOrder, { params: { id }, body })
  }
  const [, tuesday, thursday] = (await ordersOf(eve)).map(({ id }) => id) as [string, string, string]
  await change(tuesday, soup)
  await change(thursday, steak)

  const { orders: back } = await owing(stage, 'adah')
  for (const id of back) await bursar.call(completeRefund, { params: { id }, body: { method: 'cash' } })
  await head.call(approveRefund, { params: { id: back[1] } })
  await bursar.call(withdrawRefund, { params: { id: back[2] } })
  await bursar.call(refundToCredit, { params: { id: back[2] } })
}

/** A family that is owed what it paid for three meals. */
const owing = async ({ stew, line, pay, ordersOf, family, owed }: Stage, name: string) => {
  const one = await family(name)
  await pay(
    one,
    [1, 2, 4].map((day) => line(one, stew, 2, day)),
  )
  const orders = (await ordersOf(one)).map(({ id }) => id) as [string, string, string]
  for (const id of orders) {
    await one.parent.call(cancelOrder, { params: { id } })
    await owed(id)
  }
  return { one, orders }
}

/** On Friday some things are left open: money that another has to approve, and a checkout that holds a portion. */
export const leaveOpen = async (stage: Stage): Promise<void> => {
  const { bursar, pie, line, begin } = stage
  const { one: sarah, orders: back } = await owing(stage, 'sarah')
  for (const id of back.slice(0, 2)) await bursar.call(completeRefund, { params: { id } })
  const body = { amount: 500, reason: 'Scholarship' }
  await bursar.call(giveCredit, { params: { id: sarah.userId }, body })
  await begin(sarah, [line(sarah, pie, 3, 5)])
}

/** The office cancels, changes, closes a day and opens it again. */
export const changeOrders = async (stage: Stage): Promise<void> => {
  const { office, stew, soup, line, pay, ordersOf, family } = stage
  const lydia = await family('lydia')
  await pay(
    lydia,
    [2, 3, 4].map((day) => line(lydia, stew, 4, day)),
  )
  const [first, second, third] = (await ordersOf(lydia)).map(({ id }) => id) as [string, string, string]
  await office.call(cancelOrders, { body: { orderIds: [first], reason: 'The oven broke', remedy: 'credit' } })
  await eventually(async () => (await lydia.parent.call(getCredit)).entries.length > 0)
  await office.call(setOrderStatus, { body: { orderIds: [first], status: 'pending' } })
  await office.call(substituteOrders, {
    body: { orderIds: [second], menuItemId: soup.id, category: 'chicken', sideDish: null },
  })
  const { id } = await office.call(closeDays, {
    params: { id: stage.cycleId },
    body: { dates: ['2026-10-08'], reason: 'Strike', remedy: 'refund' },
  })
  await office.call(undoClosure, { params: { id } })
  const { batchId } = await office.call(setOrderStatus, { body: { orderIds: [third], status: 'completed' } })
  await office.call(undoOrderStatus, { body: { batchId } })
}

/** Paid lunches of Thursday and one that nobody pays for; ordered on Wednesday. */
export const orderForThursday = async (stage: Stage): Promise<Family> => {
  const { stew, line, pay, order, family, office } = stage
  await office.call(saveOrderingRules, {
    body: {
      cancelUntil: 'cutoff',
      lateRemedy: 'credit',
      absence: 'credit',
      absencePercent: 50,
      lowPortions: 10,
    },
  })
  const anna = await family('anna')
  for (const name of ['phoebe', 'joanna']) {
    const who = await family(name)
    await pay(who, [line(who, stew, 1, 4)])
  }
  const dorcas = await family('dorcas')
  await order(dorcas, [line(dorcas, stew, 1, 4)])
  await pay(anna, [line(anna, stew, 1, 4), line(anna, stew, 1, 5)])
  return anna
}

const send = (by: Client, ...marks: SentMark[]) => by.call(sendMarks, { body: { marks } })

/** Thursday: a child is ill and comes after all, and the hatch hands out lunches. */
export const serveThursday = async (stage: Stage, anna: Family): Promise<void> => {
  const { school, office, tablet, phone, ordersOf, sweep } = stage
  const { id } = (await ordersOf(anna))[0]!
  school.setClock('2026-09-17T09:00:00+02:00')
  for (const absent of [true, false, true])
    await anna.parent.call(setAbsence, { params: { id }, body: { absent } })
  await stage.otherWays({ unpaidUntil: 'cutoff' })
  await sweep()
  school.setClock('2026-09-17T12:00:00+02:00')
  const { lunches } = await tablet.call(serving, { query: { date: '2026-09-17' } })
  const orders = lunches.filter(({ student }) => student.endsWith('Golden')).map(({ orderId }) => orderId)
  const mark = (name: string, orderId: string, kind: SentMark['kind'], undoes?: string): SentMark => ({
    markId: v5(name, v5.URL),
    orderId,
    kind,
    at: school.now().toISOString(),
    ...(undoes ? { undoes: v5(undoes, v5.URL) } : {}),
    ...(kind === 'problem' ? { note: 'Spilt' } : {}),
  })
  const [one, two = one, three = two] = orders as [string, ...string[]]
  await send(tablet, mark('a', one, 'given'), mark('b', two, 'absent'), mark('c', three, 'problem'))
  await send(phone, mark('d', one, 'absent'), mark('e', two, 'undone', 'b'), mark('f', two, 'given'))
  const { batchId } = await office.call(setOrderStatus, { body: { orderIds: [two], status: 'completed' } })
  await office.call(undoOrderStatus, { body: { batchId } })
}
