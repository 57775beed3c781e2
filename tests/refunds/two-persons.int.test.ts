import { listAdmins, setPassword } from '#contracts/accounts'
import {
  approvePayout,
  listPayouts,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  completeRefund,
  listRefunds,
  withdrawRefund,
} from '#contracts/refunds'
import { auditEntries } from '#contracts/audit'
import { getParentCredit, giveCredit } from '#contracts/credit'
import { createAdmin, type FeatureName } from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import type { AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { openApprovalOffice, type ApprovalOffice } from './approval-office'

let canteen: AlternativeCanteen
let bursar: Client
let head: Client
let limit: ApprovalOffice['limit']
let owed: ApprovalOffice['owed']

beforeAll(async () => {
  ;({ canteen, bursar, head, limit, owed } = await openApprovalOffice())
})
afterAll(() => canteen.close())

/** An administrator made by this one, with what it may give. */
const madeBy = async (maker: Client, username: string, ...allowedFeatures: FeatureName[]) => {
  const password = 'admin-password'
  await maker.call(createAdmin, { body: { username, password, allowedFeatures } })
  return canteen.signIn(username, password)
}
const idOf = async (username: string) =>
  (await canteen.superadminClient.call(listAdmins)).find((one) => one.username === username)!.id

test('nobody approves with, or for, an account that they made or changed; another does', async () => {
  await limit(0)
  const { ids, userId } = await owed('agnes', 2, 3)
  const [one, two] = ids as [string, string]
  const chief = await canteen.administrator('chief', 'refunds', 'admins')
  const puppet = await madeBy(chief, 'puppet', 'refunds', 'admins')
  const grandchild = await madeBy(puppet, 'grandchild', 'refunds')
  const tied = { status: 403, code: 'approval_own' }
  await chief.call(completeRefund, { params: { id: one } })
  for (const other of [puppet, grandchild, canteen.superadminClient]) {
    expect(await refused(other.call(approveRefund, { params: { id: one } }))).toMatchObject(tied)
    const { data } = await other.call(listRefunds, { query: { text: one } })
    expect(data[0]).toMatchObject({
      allowed: { approve: false, withdraw: true },
      why: { approve: expect.stringContaining('are not independent') },
    })
  }
  await grandchild.call(completeRefund, { params: { id: two } })
  expect(await refused(chief.call(approveRefund, { params: { id: two } }))).toMatchObject(tied)

  const gift = await chief.call(giveCredit, { params: { id: userId }, body: { amount: 80, reason: 'Fête' } })
  const params = { id: 'id' in gift ? gift.id : '' }
  expect(await refused(puppet.call(approvePayout, { params }))).toMatchObject(tied)
  const listed = await puppet.call(listPayouts, { query: { parentId: userId } })
  expect(listed.data).toMatchObject([
    {
      kind: 'gift',
      method: null,
      note: 'Fête',
      allowed: { approve: false },
      why: { approve: expect.any(String) },
    },
  ])

  expect(await head.call(approvePayout, { params })).toMatchObject({ state: 'given' })
  expect(await head.call(approveRefund, { params: { id: one } })).toMatchObject({ status: 'refunded' })
  expect(await bursar.call(approveRefund, { params: { id: two } })).toMatchObject({ status: 'refunded' })
  await limit(null)
})

test('whoever set a password neither asks nor approves for that account', async () => {
  await limit(0)
  const { ids } = await owed('naomi', 2)
  await canteen.superadminClient.call(completeRefund, { params: { id: ids[0]! } })
  const body = { password: 'another-password-9' }
  await canteen.superadminClient.call(setPassword, { params: { id: await idOf('head') }, body })
  const asHead = await canteen.signIn('head', body.password)
  expect(await refused(asHead.call(approveRefund, { params: { id: ids[0]! } }))).toMatchObject({
    code: 'approval_own',
  })
  head = asHead
  await bursar.call(withdrawRefund, { params: { id: ids[0]! } })
  await limit(null)
})

test('gifts above the limit wait, by family and day, beside what leaves the account', async () => {
  await limit(50)
  const { userId } = await canteen.family('rhoda', '9')
  const give = (amount: number, key: string) =>
    bursar.call(giveCredit, {
      params: { id: userId },
      body: { amount, reason: 'Fête' },
      headers: { 'idempotency-key': key },
    })
  expect(await give(30, 'rhoda-1')).toMatchObject({ balance: 30 })
  const asked = await give(21, 'rhoda-2')
  expect(asked).toEqual({ id: expect.any(String), state: 'approval' })
  expect(await give(21, 'rhoda-2')).toEqual(asked)
  expect(await refused(give(22, 'rhoda-2'))).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
  const params = { id: 'id' in asked ? asked.id : '' }
  expect(await refused(bursar.call(approvePayout, { params }))).toMatchObject({ code: 'approval_own' })
  expect(
    await bursar.call(payOutCredit, { params: { id: userId }, body: { amount: 30, method: 'cash' } }),
  ).toMatchObject({
    balance: 0,
  })
  expect(await head.call(approvePayout, { params })).toEqual({ ...params, state: 'given' })
  expect(await head.call(approvePayout, { params })).toEqual({ ...params, state: 'given' })
  expect(await give(21, 'rhoda-2')).toMatchObject({ balance: 21 })
  const again = await give(5, 'rhoda-3')
  const other = { id: 'id' in again ? again.id : '' }
  expect(await head.call(withdrawPayout, { params: other })).toMatchObject({ state: 'withdrawn' })
  expect(await refused(give(5, 'rhoda-3'))).toMatchObject({ code: 'approval_withdrawn' })
  expect(await bursar.call(getParentCredit, { params: { id: userId } })).toMatchObject({ balance: 21 })
  const told = await eventually(async () => {
    const { data } = await canteen.superadminClient.call(auditEntries, { query: { kind: 'credit' } })
    const about = data.map(({ what }) => what)
    return about.some((what) => what.startsWith('The gift')) && about
  })
  expect(told).toContainEqual('Asked another administrator to approve that rhoda is given K21.00 credit')
  expect(told).toContainEqual('Approved the gift of credit to rhoda that another administrator asked for')
  await limit(null)
})
