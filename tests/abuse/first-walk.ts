import { Secret, TOTP } from 'otpauth'
import { createMenuItem, updateMenuItem, type MenuItemFields } from '#contracts/catalogue'
import { createCycle, deactivateCycle, previewCycle, reactivateCycle } from '#contracts/cycles'
import {
  beginSecondFactor,
  confirmSecondFactor,
  createAdmin,
  deleteStudent,
  endSecondFactor,
  endSession,
  listSessions,
  sendVerification,
} from '#contracts/identity'
import { placeOrders, setAbsence } from '#contracts/ordering'
import { updateParent } from '#contracts/accounts'
import { createPayment, getPaymentBypass, savePaymentBypass, verifyPayment } from '#contracts/payments'
import { acceptMismatch, liveOrders, setAttemptStatus, waiveRemainder } from '#contracts/payments-console'
import { listMails } from '../../src/adapters/mail'
import type { Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { walkBooks, walkFamilies, walkRoll } from './later-walk'

const password = 'parent-password'

const soup: MenuItemFields = {
  name: 'Soup',
  price: '20',
  type: 'secondary',
  categories: ['beef'],
  sideDishes: [],
  weekNumbers: [1],
  daysOfWeek: [1],
  allergens: [],
  proteinDescriptions: {},
  isAvailable: true,
  imageUrl: null,
  description: null,
}

/**
 * Goes through the routes that chance does not find, with people and things of its own, so that a round of the fuzz
 * reaches the act behind every route. Answers the names of all that the service has let through so far.
 */
export const firstWalk = async (canteen: Canteen): Promise<string[]> => {
  await walkAccounts(canteen)
  await walkOffice(canteen)
  await walkPayments(canteen)
  await walkFamilies(canteen)
  await walkRoll(canteen)
  await walkBooks(canteen)
  const [mail] = await eventually(async () => {
    const mails = await listMails(canteen.dataDir)
    return mails.length > 0 && mails
  })
  await canteen.visitor().fetch(`/dev/mail/${mail!.name}`)
  return letThrough(await (await canteen.visitor().fetch('/metrics')).text())
}

const letThrough = (metrics: string): string[] =>
  [...metrics.matchAll(/duration_seconds_count\{method="(\w+)",route="([^"]+)",status="[23]\d\d"\}/g)].map(
    ([, method, route]) => `${method} ${route}`,
  )

const walkAccounts = async (canteen: Canteen) => {
  await canteen.superadminClient.call(createAdmin, {
    body: { username: 'walker', password, allowedFeatures: [] },
  })
  const walker = await canteen.signIn('walker', password)
  await canteen.signIn('walker', password)
  const other = (await walker.call(listSessions)).find(({ current }) => !current)
  await walker.call(endSession, { params: { id: other!.id } })
  const { secret } = await walker.call(beginSecondFactor, { body: { currentPassword: password } })
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: canteen.now().getTime() })
  await walker.call(confirmSecondFactor, { body: { code: code() } })
  // A code opens once.
  canteen.setClock(new Date(canteen.now().getTime() + 30_000))
  await walker.call(endSecondFactor, { body: { currentPassword: password, code: code() } })
}

const walkOffice = async ({ superadminClient: office, cycle, family }: Canteen) => {
  const { parent, children, userId } = await family('walking', '9')
  await parent.call(deleteStudent, { params: { id: children[0]!.id } })
  const body = { name: 'Walking', username: 'walking', email: 'walking@example.org' }
  await office.call(updateParent, { params: { id: userId }, body })
  await parent.call(sendVerification)
  const { id } = await office.call(createMenuItem, { body: soup })
  await office.call(updateMenuItem, { params: { id }, body: { ...soup, price: '21' } })
  await office.call(deactivateCycle, { params: { id: cycle.id } })
  const plan = { startDate: '2026-11-09', cycleLength: 4 as const, blockedDays: [] }
  await office.call(previewCycle, { body: plan })
  const { id: later } = await office.call(createCycle, { body: plan })
  await office.call(deactivateCycle, { params: { id: later } })
  await office.call(reactivateCycle, { params: { id: cycle.id } })
  await office.call(savePaymentBypass, { body: await office.call(getPaymentBypass) })
}

/** Two payments that came in with too little, one to be accepted and one to be given up, and one that nobody makes. */
const walkPayments = async (canteen: Canteen) => {
  const office = canteen.superadminClient
  const { parent, children } = await canteen.payingFamily('payer', '9', '2')
  const [big, small] = children
  const { orders } = await parent.call(placeOrders, { body: [canteen.porridgeFor(small!, 1)] })
  const before = canteen.now()
  canteen.setClock('2026-09-14T09:00:00+02:00')
  await parent.call(setAbsence, { params: { id: orders[0]!.id }, body: { absent: true } })
  canteen.setClock(before)
  const begin = async (day: number) => {
    const body = { amount: 45.5, cartItems: [canteen.stewFor(big!, day)] }
    return (await parent.call(createPayment, { body })).TransToken
  }
  const tokens = [await begin(2), await begin(3)]
  for (const token of tokens) await payTooLittle(canteen, token)
  canteen.setClock(new Date(canteen.now().getTime() + 180_000))
  const ids = []
  for (const transactionId of tokens) {
    await parent.call(verifyPayment, { params: { transactionId } })
    ids.push((await office.call(liveOrders, { query: { transactionId } })).data[0]!.id)
  }
  const body = { reason: 'A bank fee' }
  await office.call(acceptMismatch, { params: { id: ids[0]! }, body })
  await office.call(waiveRemainder, { params: { id: ids[1]! }, body })
  const transactionId = await begin(4)
  await parent.call(verifyPayment, { params: { transactionId } })
  await office.call(setAttemptStatus, { params: { transactionId }, body: { status: 'Payment Abandoned' } })
}

const payTooLittle = async (canteen: Canteen, token: string) => {
  await canteen.visitor().fetch(`/sandbox/pay/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=slow&card=4111111111111111',
  })
  await canteen.infrastructure.database.pool.query(
    `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', '"UNDER"') where token = $1`,
    [token],
  )
}
