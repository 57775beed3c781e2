import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { MenuItem } from '#contracts/catalogue'
import { faultCodes, type BodyOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { type CartLine, type Order, cancelOrder, listOrders, placeOrders } from '#contracts/ordering'
import { createPayment, promptAgain, recordAttempt, verifyPayment } from '#contracts/payments'
import type { PlanPay } from '#contracts/plan'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { type Client, CallRefused, registerParent } from '../../src/app/demo/client'
import type { TakenSms } from '../support/sms-gateway'
import { planFirstWeek } from './plans'
import type { CrashSchool } from './school'
import type { Random } from './stage'

/** Everything the service said yes to; whatever crashes, it must stay so. */
export type Acknowledged = ReturnType<typeof acknowledgements>

export const acknowledgements = () => ({
  /** Orders by their id, each with the request that placed it. */
  placed: new Map<string, { key: string }>(),
  cancelled: new Set<string>(),
  completed: new Set<string>(),
  /** Tokens that the provider took money for. */
  paid: new Set<string>(),
  /** Tokens paid by phone, each with how often its family asked for a prompt: more must never reach the phone. */
  prompts: new Map<string, number>(),
  refunded: new Set<string>(),
  children: new Set<number>(),
  /** Requests that were answered, yes or no. */
  answers: 0,
  /** What was asked and never answered, and asked again afterwards with the same key. */
  askedAgain: 0,
  /** Refused with which code how often. */
  refused: new Map<string, number>(),
  /** What must never be answered. */
  wrong: [] as string[],
  /** Handed to the school's SMS gateway. */
  sms: [] as readonly TakenSms[],
})

const countRefusal = ({ refused }: Acknowledged, code: string): void =>
  void refused.set(code, (refused.get(code) ?? 0) + 1)

/** Lets everybody work until the whistle; `over` once it has been blown. */
export type Shift = { over: () => boolean }

const faults: readonly string[] = faultCodes
const betweenTriesMs = 250
const patienceMs = 10 * 60_000

/**
 * Asks until there is an answer, however often the service dies meanwhile: the same request with the same key, as the
 * portal does. Answers null when it is refused. A fault is asked again too, for a dying service may still get that out; that a
 * payment could not be begun is an answer (`isAnswer` of web/lib/call.ts), for its key never begins another.
 */
export const untilAnswered = async <Reply>(
  acknowledged: Acknowledged,
  ask: () => Promise<Reply>,
  onRefused: (code: string) => void = () => undefined,
): Promise<Reply | null> => {
  const giveUpAt = Date.now() + patienceMs
  for (let round = 1; ; round += 1) {
    try {
      const reply = await ask()
      acknowledged.answers += 1
      return reply
    } catch (error) {
      const isAnswer =
        error instanceof CallRefused && (error.status < 500 || !faults.includes(error.body.code))
      if (isAnswer) {
        acknowledged.answers += 1
        countRefusal(acknowledged, error.body.code)
        onRefused(error.body.code)
        return null
      }
      if (Date.now() > giveUpAt) throw error
      if (round === 1) acknowledged.askedAgain += 1
      await pause(betweenTriesMs)
    }
  }
}

type Day = { studentId: number; weekNumber: number; dayOfWeek: number }

type Family = {
  client: Client
  random: Random
  school: CrashSchool
  acknowledged: Acknowledged
  /** Days nobody has touched yet; each is used once. */
  days: Day[]
  /** Orders that may still be cancelled. */
  orders: string[]
  children: number
  /** Proved for its plan, and what it presses there; null for a family whose plan asks no phone. */
  phone: { number: string; choice: string } | null
}

/** A family at the portal: has a plan, orders, pays by card or phone or walks away from it, thinks again. */
export const joinFamily = async (
  url: string,
  name: string,
  school: CrashSchool,
  acknowledged: Acknowledged,
  random: Random,
  plan: { pay: PlanPay; phone: string } | null = null,
): Promise<(shift: Shift) => Promise<void>> => {
  const account = { username: name, password: 'parent-password', name, email: `${name}@example.org` }
  const client = await registerParent(url, { ...account, ...(plan && { phone: plan.phone }) })
  if (plan) await planFirstWeek(client, school, plan.pay, acknowledged.sms)
  const family: Family = {
    client,
    random,
    school,
    acknowledged,
    days: [],
    orders: [],
    children: 0,
    phone: null,
  }
  const choice = random.pick(['approve', 'approve', 'approve', 'wrong-pin', 'ignore'])
  if (plan?.pay.by === 'prompt') family.phone = { number: `260${plan.phone.slice(1)}`, choice }
  return async (shift) => {
    while (!shift.over()) await actOnce(family)
  }
}

const actOnce = async (family: Family): Promise<void> => {
  const { days, random, orders } = family
  if (days.length < 5) return haveChild(family)
  if (family.phone && random.chance(lookShare)) return lookAtPhone(family, family.phone)
  const act = random.below(100)
  if (act < 45) return orderForFree(family)
  if (act < 65) return payByCard(family)
  if (act < 78) return payByPhone(family)
  if (act < 90 && orders.length > 0) return thinkAgain(family)
  return lookAtHistory(family)
}

const lookShare = 0.5

const weeks = [2, 3, 4, 5, 6]
const schoolDays = [1, 2, 3, 4, 5]

/** No key stops a child from being there twice when the answer was lost; one child is all that is asked for here. */
const haveChild = async (family: Family): Promise<void> => {
  const { client, acknowledged, random } = family
  family.children += 1
  const body = { name: `Child ${family.children}`, grade: '3' as const }
  const child = await untilAnswered(acknowledged, () => client.call(addStudent, { body }))
  // Without children to order for, the rest of the run would kill a service that nobody uses.
  if (!child) return void acknowledged.wrong.push('A family was refused a child')
  acknowledged.children.add(child.id)
  const days = weeks.flatMap((weekNumber) =>
    schoolDays.map((dayOfWeek): Day => ({ studentId: child.id, weekNumber, dayOfWeek })),
  )
  family.days.push(...days.toSorted(() => random.next() - 0.5))
}

const cartOf = ({ days, random }: Family, item: MenuItem): CartLine[] =>
  days.splice(0, 1 + random.below(5)).map((day) => ({
    ...day,
    menuItemId: item.id,
    category: 'vegetarian',
    sideDish: null,
    comments: '',
    originalPrice: Number(item.price),
  }))

const orderForFree = async (family: Family): Promise<void> => {
  const { client, acknowledged, school } = family
  const key = randomUUID()
  const body = cartOf(family, school.free)
  const headers = { 'idempotency-key': key }
  const placed = await untilAnswered(acknowledged, () => client.call(placeOrders, { body, headers }))
  // Nobody else orders for these children and days, so there is no reason to refuse.
  if (!placed) return void acknowledged.wrong.push('A free cart that only this family can have was refused')
  noteOrders(family, placed.orders, body.length, key)
}

const noteOrders = (family: Family, orders: Order[], wanted: number, key: string): void => {
  const { placed, wrong } = family.acknowledged
  if (orders.length !== wanted) wrong.push(`${wanted} meals were asked for and ${orders.length} acknowledged`)
  for (const { id } of orders) {
    if (placed.has(id)) wrong.push(`Order ${id} was acknowledged to two requests`)
    placed.set(id, { key })
    family.orders.push(id)
  }
}

/** From one device, or from two at the same moment: one cart, one token. Each device asks once, however often it is cut off. */
const beginPayment = async (
  { client, acknowledged, random }: Family,
  body: BodyOf<typeof createPayment>,
): Promise<{ token: string; devices: number } | null> => {
  const devices = random.chance(0.4) ? 2 : 1
  const payments = await Promise.all(
    Array.from({ length: devices }, () => {
      const headers = { 'idempotency-key': randomUUID() }
      return untilAnswered(acknowledged, () => client.call(createPayment, { body, headers }))
    }),
  )
  const tokens = new Set(payments.flatMap((payment) => payment?.TransToken ?? []))
  if (tokens.size > 1) acknowledged.wrong.push(`Two devices were told two tokens: ${[...tokens].join(', ')}`)
  const [token] = tokens
  return token === undefined ? null : { token, devices }
}

const payByCard = async (family: Family): Promise<void> => {
  const { client, acknowledged, school, random } = family
  const cartItems = cartOf(family, school.paid)
  const body = { amount: cartItems.length * Number(school.paid.price), cartItems }
  const begun = await beginPayment(family, body)
  if (begun === null) return
  const { token } = begun
  // Walks away without a word: these days must be free again once the payment has run out.
  if (random.chance(0.2)) return
  await untilAnswered(acknowledged, () => client.call(recordAttempt, { body: { transactionId: token } }))
  const outcome = random.pick(['pay', 'pay', 'pay', 'close', 'decline', 'cancel', 'slow'])
  const form = new URLSearchParams({ outcome, card: '4111111111111111' })
  const left = await untilAnswered(acknowledged, async () => {
    const answer = await client.fetch(`/sandbox/pay/${token}`, { method: 'POST', body: form })
    if (answer.status >= 500) throw new Error(`The payment page answered ${answer.status}`)
    return answer.status
  })
  if (left !== null && left < 400 && (outcome === 'pay' || outcome === 'close')) acknowledged.paid.add(token)
  if (outcome === 'close' || outcome === 'slow') return
  const params = { transactionId: token }
  const verified = await untilAnswered(acknowledged, () => client.call(verifyPayment, { params }))
  if (verified?.success && outcome !== 'pay') acknowledged.wrong.push(`${token} was verified as paid, unpaid`)
}

const payByPhone = async (family: Family): Promise<void> => {
  const { client, acknowledged, school, random } = family
  const cartItems = cartOf(family, school.paid)
  const number = `26097${String(random.below(10_000_000)).padStart(7, '0')}`
  const body = {
    amount: cartItems.length * Number(school.paid.price),
    cartItems,
    paymentMethod: 'airtel' as const,
    customerPhone: number,
  }
  const begun = await beginPayment(family, body)
  if (begun === null) return
  const { token, devices } = begun
  acknowledged.prompts.set(token, devices)
  const choice = random.pick(['approve', 'approve', 'wrong-pin', 'ignore', 'nothing'])
  if (choice === 'nothing') return
  if (await pressOnPhone(family, { number, token, choice, nth: 1 })) acknowledged.paid.add(token)
  const params = { transactionId: token }
  const verified = await untilAnswered(acknowledged, () => client.call(verifyPayment, { params }))
  if (choice !== 'wrong-pin') return
  if (verified?.success) acknowledged.wrong.push(`${token} was verified as paid, unpaid`)
  acknowledged.prompts.set(token, devices + 1)
  const again = { 'idempotency-key': randomUUID() }
  const sent = await untilAnswered(acknowledged, () =>
    client.call(promptAgain, { params: { id: token }, body: undefined, headers: again }),
  )
  if (sent && (await pressOnPhone(family, { number, token, choice: 'approve', nth: 2 })))
    acknowledged.paid.add(token)
  await untilAnswered(acknowledged, () => client.call(verifyPayment, { params }))
}

type Press = { number: string; token: string; choice: string; nth: number }

/** Whether the provider took money for it. */
const pressOnPhone = async ({ client, acknowledged }: Family, { number, token, choice, nth }: Press) => {
  const form = new URLSearchParams({ choice, prompt: `${token}.${nth}` })
  const where = await untilAnswered(acknowledged, async () => {
    const answer = await client.fetch(`/sandbox/phone/${number}`, { method: 'POST', body: form })
    if (answer.status >= 500) throw new Error(`The phone answered ${answer.status}`)
    return answer.headers.get('location')
  })
  return choice === 'approve' && where?.endsWith('did=approve') === true
}

/** Until the plan has asked. */
const lookAtPhone = async (
  family: Family,
  { number, choice }: { number: string; choice: string },
): Promise<void> => {
  const { client, acknowledged } = family
  const page = await untilAnswered(acknowledged, async () => {
    const answer = await client.fetch(`/sandbox/phone/${number}`)
    if (answer.status >= 500) throw new Error(`The phone answered ${answer.status}`)
    return answer.text()
  })
  const [, token, nth] = /name="prompt" value="(.+?)\.(\d+)"/.exec(page ?? '') ?? []
  if (token === undefined) return
  family.phone = null
  if (await pressOnPhone(family, { number, token, choice, nth: Number(nth) })) acknowledged.paid.add(token)
}

const thinkAgain = async (family: Family): Promise<void> => {
  const { client, acknowledged, orders, random } = family
  const [id] = orders.splice(random.below(orders.length), 1)
  const told = await untilAnswered(
    acknowledged,
    () => client.call(cancelOrder, { params: { id: id! } }),
    // The answer to the first try was lost: it is cancelled all the same.
    (code) => void (code === 'already_cancelled' && acknowledged.cancelled.add(id!)),
  )
  if (told) acknowledged.cancelled.add(told.id)
}

/** What was paid for by card becomes known here, and may be cancelled like any other. */
const lookAtHistory = async (family: Family): Promise<void> => {
  const { client, acknowledged, orders } = family
  const query = { includeAll: 'true' as const }
  const listed = await untilAnswered(acknowledged, () => client.call(listOrders, { query }))
  for (const { id, status } of (listed ?? []) as Order[]) {
    if (acknowledged.placed.has(id) || status !== 'pending') continue
    acknowledged.placed.set(id, { key: 'card' })
    orders.push(id)
  }
}

const breathMs = 20

/** The kitchen completes what was ordered, also what a family is about to cancel; the office pays back what is due. */
export const workInOffice =
  (office: Client, acknowledged: Acknowledged, random: Random) =>
  async (shift: Shift): Promise<void> => {
    while (!shift.over()) {
      await (random.chance(0.6) ? complete : payBack)(office, acknowledged, random)
      await pause(breathMs)
    }
  }

const complete = async (office: Client, acknowledged: Acknowledged, random: Random): Promise<void> => {
  const { placed, cancelled, completed } = acknowledged
  const open = [...placed.keys()].filter((id) => !cancelled.has(id) && !completed.has(id))
  const orderIds = [...new Set(Array.from({ length: Math.min(open.length, 4) }, () => random.pick(open)))]
  if (orderIds.length === 0) return
  const body = { orderIds, status: 'completed' as const }
  const done = await untilAnswered(acknowledged, () => office.call(setOrderStatus, { body }))
  const skipped = new Set(done?.skipped.map(({ id }) => id))
  if (done) for (const id of orderIds) if (!skipped.has(id)) completed.add(id)
}

const payBack = async (office: Client, acknowledged: Acknowledged, random: Random): Promise<void> => {
  const due = await untilAnswered(acknowledged, () => office.call(listRefunds))
  if (!due || due.data.length === 0) return
  const { id } = random.pick(due.data)
  const body = { method: 'cash' as const, note: 'Paid at the counter' }
  const headers = { 'idempotency-key': randomUUID() }
  const paid = await untilAnswered(acknowledged, () =>
    office.call(completeRefund, { params: { id }, body, headers }),
  )
  if (paid) acknowledged.refunded.add(id)
}
