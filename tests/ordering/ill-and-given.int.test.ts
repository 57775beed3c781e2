import { getCredit, giveCredit } from '#contracts/credit'
import { getFamily } from '#contracts/find'
import { setOrderStatus } from '#contracts/kitchen'
import {
  listOrders,
  placeOrders,
  setAbsence,
  type Order,
  getOrderingRules,
  saveOrderingRules,
} from '#contracts/ordering'
import { sendMarks, type SentMark } from '#contracts/serving'
import { v4 } from 'uuid'
import { staySignedIn, type Client } from '../../src/app/demo/client'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { secondProcess } from '../abuse/second-process'
import { eventually } from '../support/eventually'
import { silentLog } from '../support/start-postgres'
import { refused } from './canteen'

let canteen: AlternativeCanteen
let tablet: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  tablet = await canteen.administrator('tablet', 'kitchen')
  const rules = await canteen.superadminClient.call(getOrderingRules)
  await canteen.superadminClient.call(saveOrderingRules, {
    body: { ...rules, cancelUntil: 'cutoff', absence: 'credit', absencePercent: 100 },
  })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

/** The books of the whole school, as `npm run audit` checks them. */
const expectBalanced = async () => {
  const config = readConfig({ DATABASE_URL: canteen.databaseUrl, DATA_DIR: canteen.dataDir })
  const quietly = { log: silentLog, now: canteen.now, against: null, onProgress: () => undefined }
  expect(await auditSchool(canteen.infrastructure, config, quietly)).toMatchObject({ exitCode: 0 })
}

const clock = (time: string) => canteen.setClock(`2026-09-15T${time}+02:00`)

/** A child with a paid stew on Tuesday, at 09:00 of that day. */
const paidLunch = async (username: string) => {
  const { parent, userId, children } = await canteen.family(username, '9')
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
  await canteen.verify([orders[0]!.id])
  clock('09:00:00')
  const { id } = orders[0]!
  const say = (absent: boolean): Promise<Order> =>
    parent.call(setAbsence, { params: { id }, body: { absent } })
  const balance = async () => (await parent.call(getCredit)).balance
  return { parent, userId, child: children[0]!, id, say, balance }
}

const mark = (orderId: string, kind: SentMark['kind'], more: Partial<SentMark> = {}): SentMark => ({
  markId: v4(),
  orderId,
  kind,
  at: canteen.now().toISOString(),
  ...more,
})
const tell = async (by: Client, ...marks: SentMark[]) =>
  (await by.call(sendMarks, { body: { marks } })).results.map(({ result, code }) => code ?? result)

const given = (balance: () => Promise<number>, amount: number) =>
  eventually(async () => (await balance()) === amount)

/** Spends all of a family's credit on another meal. */
const spend = async ({ parent, child }: Awaited<ReturnType<typeof paidLunch>>, dayOfWeek: number) => {
  const cartItems = [canteen.stewFor(child, dayOfWeek)]
  await parent.call(placeOrders, { body: { cartItems, useCredit: true } })
}

test('what was handed out is not reported ill, until the mark is taken back', async () => {
  const { id, say, parent, balance } = await paidLunch('chipo')
  clock('11:39:00')
  const out = mark(id, 'given')
  expect(await tell(tablet, out)).toEqual(['kept'])
  clock('11:40:00')
  expect(await refused(say(true))).toMatchObject({
    status: 409,
    code: 'meal_given',
    message: "chipo 9's lunch was handed out at 11:39.",
  })
  expect(await parent.call(listOrders)).toMatchObject([
    {
      absent: false,
      allowed: { absent: false },
      why: { absent: "chipo 9's lunch was handed out at 11:39." },
    },
  ])
  expect(await balance()).toBe(0)
  await tell(tablet, mark(id, 'undone', { undoes: out.markId }))
  expect(await say(true)).toMatchObject({ absent: true })
  await given(balance, 45.5)
  await expectBalanced()
})

test('a mark that arrives after "ill" takes the absence and its credit back; taken back, both are there again', async () => {
  const { id, say, parent, balance } = await paidLunch('bwalya')
  await say(true)
  await given(balance, 45.5)
  clock('12:30:00')
  const late = mark(id, 'given', { at: '2026-09-15T08:55:00+02:00' })
  expect(await tell(tablet, late)).toEqual(['kept'])
  expect(await balance()).toBe(0)
  expect(await parent.call(listOrders)).toMatchObject([{ absent: false, status: 'completed' }])
  await expectBalanced()
  await tell(tablet, mark(id, 'undone', { undoes: late.markId }))
  expect(await parent.call(listOrders)).toMatchObject([{ absent: true, status: 'pending' }])
  await given(balance, 45.5)
  await expectBalanced()
})

test('what was spent of it is not taken back by the family: it is told how much', async () => {
  const lunch = await paidLunch('mutinta')
  await lunch.say(true)
  await given(lunch.balance, 45.5)
  await spend(lunch, 4)
  expect(await refused(lunch.say(false))).toMatchObject({
    status: 409,
    code: 'credit_spent',
    message: 'K45.50 of it has been spent.',
  })
  await canteen.superadminClient.call(giveCredit, {
    params: { id: lunch.userId },
    body: { amount: 5.5, reason: 'Sorry' },
  })
  expect(await refused(lunch.say(false))).toMatchObject({ message: 'K40.00 of it has been spent.' })
  await expectBalanced()
  await canteen.superadminClient.call(giveCredit, {
    params: { id: lunch.userId },
    body: { amount: 40, reason: 'Sorry' },
  })
  expect(await lunch.say(false)).toMatchObject({ absent: false })
  expect(await lunch.balance()).toBe(0)
  await expectBalanced()
})

test('where the hatch does it, the meal stays given and the office is told what was spent', async () => {
  const lunch = await paidLunch('luse')
  await lunch.say(true)
  await given(lunch.balance, 45.5)
  await spend(lunch, 4)
  expect(await tell(tablet, mark(lunch.id, 'given'))).toEqual(['kept'])
  const page = await canteen.superadminClient.call(getFamily, { params: { id: lunch.userId } })
  expect(page.status[0]).toBe(
    "luse 9's lunch of Tuesday, 15 September 2026 was handed out after it had been reported ill: " +
      'K45.50 of the K45.50 credit for that has been spent',
  )
  expect(await lunch.parent.call(listOrders)).toContainEqual(
    expect.objectContaining({ id: lunch.id, absent: false, status: 'completed' }),
  )
  await expectBalanced()
})

test('cancelled between "ill" and a late mark, it stays cancelled, and no more goes back than was paid', async () => {
  const { id, say, balance } = await paidLunch('naomi')
  await say(true)
  await given(balance, 45.5)
  const body = { orderIds: [id], status: 'cancelled' as const }
  await canteen.superadminClient.call(setOrderStatus, { body })
  expect(await tell(tablet, mark(id, 'given'))).toEqual(['order_cancelled'])
  expect(await balance()).toBe(45.5)
  await expectBalanced()
})

test('said ill and handed out at the same moment by two processes: ill does not stand with a lunch that was given', async () => {
  const lunches = []
  for (const name of ['one', 'two', 'three', 'four']) {
    canteen.setClock('2026-09-14T07:00:00+02:00')
    lunches.push(await paidLunch(`twin-${name}`))
  }
  const other = await secondProcess(canteen, {})
  const elsewhere = await staySignedIn(other.url, 'tablet', 'admin-password')
  await Promise.all(
    lunches.flatMap(({ id, say }, place) => [
      tell(place % 2 === 0 ? elsewhere : tablet, mark(id, 'given')),
      say(true).catch(() => undefined),
    ]),
  )
  await other.close()
  for (const { parent, balance } of lunches) {
    expect(await parent.call(listOrders)).toMatchObject([{ absent: false, status: 'completed' }])
    await given(balance, 0)
  }
  await expectBalanced()
})
