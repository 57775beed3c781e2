import { Secret, TOTP } from 'otpauth'
import { createMenuItem, updateMenuItem, type MenuItemFields } from '#contracts/catalogue'
import { createCycle, deactivateCycle, reactivateCycle } from '#contracts/cycles'
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
import { placeOrders } from '#contracts/ordering'
import { updateParent } from '#contracts/parents'
import { createPayment, getPaymentBypass, savePaymentBypass, verifyPayment } from '#contracts/payments'
import { acceptMismatch, liveOrders, setAttemptStatus, waiveRemainder } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { listMails } from '../../src/adapters/mail/files'
import type { Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'

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
 * reaches the act behind every route. Answers their names.
 */
export const firstWalk = async (canteen: Canteen): Promise<string[]> => {
  const walked: string[] = []
  const by =
    (client: Client): Client['call'] =>
    async (endpoint, input) => {
      const reply = await client.call(endpoint, input)
      walked.push(`${endpoint.method} ${endpoint.path}`)
      return reply as never
    }
  await walkAccounts(canteen, by)
  await walkOffice(canteen, by)
  await walkPayments(canteen, by)
  const [mail] = await eventually(async () => {
    const mails = await listMails(canteen.dataDir)
    return mails.length > 0 && mails
  })
  if ((await canteen.visitor().fetch(`/dev/mail/${mail!.name}`)).ok) walked.push('GET /dev/mail/:name')
  return walked
}

type By = (client: Client) => Client['call']

const walkAccounts = async (canteen: Canteen, by: By) => {
  await canteen.superadminClient.call(createAdmin, {
    body: { username: 'walker', password, allowedFeatures: [] },
  })
  const walker = by(await canteen.signIn('walker', password))
  await canteen.signIn('walker', password)
  const other = (await walker(listSessions)).find(({ current }) => !current)
  await walker(endSession, { params: { id: other!.id } })
  const { secret } = await walker(beginSecondFactor, { body: { currentPassword: password } })
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: canteen.now().getTime() })
  await walker(confirmSecondFactor, { body: { code: code() } })
  // A code opens once.
  canteen.setClock(new Date(canteen.now().getTime() + 30_000))
  await walker(endSecondFactor, { body: { currentPassword: password, code: code() } })
}

const walkOffice = async ({ superadminClient, cycle, family }: Canteen, by: By) => {
  const office = by(superadminClient)
  const { parent, children, userId } = await family('walking', '9')
  await by(parent)(deleteStudent, { params: { id: children[0]!.id } })
  const body = { name: 'Walking', username: 'walking', email: 'walking@example.org' }
  await office(updateParent, { params: { id: userId }, body })
  await by(parent)(sendVerification)
  const { id } = await office(createMenuItem, { body: soup })
  await office(updateMenuItem, { params: { id }, body: { ...soup, price: '21' } })
  await office(deactivateCycle, { params: { id: cycle.id } })
  const { id: later } = await office(createCycle, {
    body: { startDate: '2026-11-09', cycleLength: 4, blockedDays: [] },
  })
  await office(deactivateCycle, { params: { id: later } })
  await office(reactivateCycle, { params: { id: cycle.id } })
  await office(savePaymentBypass, { body: await office(getPaymentBypass) })
}

/** Two payments that came in with too little, one to be accepted and one to be given up, and one that nobody makes. */
const walkPayments = async (canteen: Canteen, by: By) => {
  const office = by(canteen.superadminClient)
  const { parent, children } = await canteen.payingFamily('payer', '9', '2')
  const [big, small] = children
  await by(parent)(placeOrders, { body: [canteen.porridgeFor(small!, 2)] })
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
    ids.push((await office(liveOrders, { query: { transactionId } })).data[0]!.id)
  }
  const body = { reason: 'A bank fee' }
  await office(acceptMismatch, { params: { id: ids[0]! }, body })
  await office(waiveRemainder, { params: { id: ids[1]! }, body })
  const transactionId = await begin(4)
  await parent.call(verifyPayment, { params: { transactionId } })
  await office(setAttemptStatus, { params: { transactionId }, body: { status: 'Payment Abandoned' } })
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
