import { listAdmins, setAdminStatus, setPassword } from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import { saveBooksSettings } from '#contracts/books'
import { getParentCredit, giveCredit } from '#contracts/credit'
import { type FeatureName, createAdmin, updateProfile } from '#contracts/identity'
import { type Order, cancelOrder, listOrders } from '#contracts/ordering'
import {
  approvePayout,
  listPayouts,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  completeRefund,
  completeRefunds,
  listRefunds,
  refundToCredit,
  withdrawRefund,
  ownRefunds,
} from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { everyEvent } from '../support/every-event'
import { mailTo, closeOutbox, writtenTo } from '../support/mails'
import { superadminPassword } from '../support/school'
import { type ApprovalOffice, openApprovalOffice } from './approval-office'

let canteen: AlternativeCanteen
let bursar: Client
let head: Client
let limit: ApprovalOffice['limit']
let owed: ApprovalOffice['owed']

beforeAll(async () => {
  ;({ canteen, bursar, head, limit, owed } = await openApprovalOffice())
})
afterAll(() => canteen.close())

// One person's sums of the day are counted over all families: from the second test on another pays back.
let bursars = 0
let bursarName = 'bursar'
beforeEach(async () => {
  bursars += 1
  if (bursars === 1) return
  bursarName = `bursar${bursars}`
  bursar = await canteen.administrator(bursarName, 'refunds')
})

describe('approval', () => {
  const waiting = async () => (await bursar.call(listRefunds, { query: {} })).data

  const status = (who: Client, path: string) =>
    who.fetch(path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })

  test('above the limit one asks, and another approves; both stand in the history', async () => {
    const {
      ids: [first, second],
    } = await owed('tabitha', 2, 3)
    await bursar.call(completeRefund, { params: { id: first! } })
    const answer = await status(bursar, `/api/refunds/${second}/complete`)
    expect(answer.status).toBe(202)
    expect(await answer.json()).toEqual({ id: second, state: 'approval' })
    const [row] = await waiting()
    expect(row).toMatchObject({
      id: second,
      status: 'cancelled',
      approval: { by: 'bursar' },
      asked: { amount: 45.5, method: 'manual' },
      allowed: { complete: false, approve: false, withdraw: true },
    })
    expect((await head.call(listRefunds, { query: {} })).data[0]!.allowed.approve).toBe(true)
    const asTheySaw = { params: { id: second! }, body: { askedAt: row!.approval!.at } }
    expect(await refused(bursar.call(approveRefund, asTheySaw))).toMatchObject({
      status: 403,
      code: 'approval_own',
    })
    const other = { ...asTheySaw, body: { askedAt: '2026-09-14T04:00:00.000Z' } }
    expect(await refused(head.call(approveRefund, other))).toMatchObject({ code: 'approval_changed' })
    expect(await head.call(approveRefund, asTheySaw)).toMatchObject({ status: 'refunded', amount: 45.5 })
    expect(await head.call(approveRefund, asTheySaw)).toMatchObject({ status: 'refunded' })
    const told = await eventually(async () => {
      const { data } = await canteen.superadminClient.call(auditEntries, { query: { kind: 'refund' } })
      const about = data.map(({ what, who }) => [who, what])
      return about.some(([, what]) => what!.startsWith('Approved')) && about
    })
    expect(told).toContainEqual(['head', 'Approved what another administrator asked for'])
    expect(told).toContainEqual([
      'bursar',
      'Asked another administrator to approve that K45.50 goes back (manual)',
    ])
  })

  test('many at once pay back up to the limit of each family, and ask for the rest', async () => {
    const { ids } = await owed('lydia', 2, 3, 4)
    const done = await bursar.call(completeRefunds, { body: { ids, method: 'cash' } })
    expect(done).toMatchObject({ completed: 1, amount: 45.5 })
    expect(done.skipped.map(({ code }) => code)).toEqual(['approval', 'approval'])
    const [one, other] = done.skipped.map(({ id }) => id)
    const listed = await waiting()
    expect(
      listed
        .slice(0, 2)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([one, other].toSorted())
    expect(await bursar.call(withdrawRefund, { params: { id: one! } })).toMatchObject({ status: 'cancelled' })
    expect((await waiting()).find(({ id }) => id === one)).toMatchObject({ approval: null, asked: null })
    await bursar.call(refundToCredit, { params: { id: other! } })
    expect(await refused(head.call(approveRefund, { params: { id: other! } }))).toMatchObject({
      code: 'refund_paid_back',
    })
  })

  test('a payout of credit waits as well, and counts with the refunds of the day', async () => {
    const { ids, userId } = await owed('phoebe', 2)
    const params = { id: userId }
    await bursar.call(giveCredit, { params, body: { amount: 30, reason: 'Fête' } })
    await bursar.call(completeRefund, { params: { id: ids[0]! } })
    const payOut = { params, body: { amount: 10, method: 'cash' as const, reference: 'Envelope 7' } }
    const keyed = { ...payOut, headers: { 'idempotency-key': 'phoebe-1' } }
    const asked = await bursar.call(payOutCredit, keyed)
    expect(asked).toEqual({ id: expect.any(String), state: 'approval' })
    expect(await bursar.call(payOutCredit, keyed)).toEqual(asked)
    const id = 'id' in asked ? asked.id : ''
    const { data } = await bursar.call(listPayouts, { query: { parentId: userId } })
    expect(data).toMatchObject([
      {
        id,
        parent: { id: userId, username: 'phoebe' },
        amount: 10,
        method: 'cash',
        reference: 'Envelope 7',
        approval: { by: bursarName },
        allowed: { approve: false, withdraw: true },
      },
    ])
    const named = { params: { id } }
    expect(await refused(bursar.call(approvePayout, named))).toMatchObject({ code: 'approval_own' })
    expect(await head.call(approvePayout, named)).toEqual({ id, state: 'paidOut' })
    expect(await bursar.call(getParentCredit, { params })).toMatchObject({ balance: 20 })
    const again = await bursar.call(payOutCredit, payOut)
    const withdrawn = { params: { id: 'id' in again ? again.id : '' } }
    expect(await bursar.call(withdrawPayout, withdrawn)).toMatchObject({ state: 'withdrawn' })
    expect(await refused(head.call(approvePayout, withdrawn))).toMatchObject({ code: 'no_approval' })
    expect((await bursar.call(listPayouts, { query: {} })).data).toEqual([])
  })

  test('the limit rises or goes away with a password alone, falls without, and superadmins hear of each', async () => {
    const settings = await canteen.administrator('settings.office', 'settings')
    const email = 'superadmin@example.org'
    await canteen.superadminClient.call(updateProfile, {
      body: { name: 'Head', email, currentPassword: superadminPassword },
    })
    const books = { tpin: '', address: '', vatPercent: null, cardRefunds: false }
    const save = (refundApprovalAbove: number | null, currentPassword?: string) =>
      settings.call(saveBooksSettings, { body: { ...books, refundApprovalAbove, currentPassword } })
    for (const loosened of [51, null]) {
      expect(await refused(save(loosened))).toMatchObject({
        status: 422,
        fields: { currentPassword: expect.anything() },
      })
      expect(await refused(save(loosened, 'not-the-password'))).toMatchObject({ status: 403 })
    }
    expect(await save(49)).toMatchObject({ refundApprovalAbove: 49 })
    const mail = await mailTo(canteen, email, 'The limit for a second approval was changed')
    expect(mail.text).toContain('was changed by an administrator')
    expect(mail.text).not.toMatch(/K49|K50/)
    expect(await save(50, 'admin-password')).toMatchObject({ refundApprovalAbove: 50 })
  })

  test('what a disabled administrator asked for is not approved', async () => {
    const { ids } = await owed('grace', 2)
    await limit(0)
    const clerk = await canteen.administrator('clerk', 'refunds')
    await clerk.call(completeRefund, { params: { id: ids[0]! } })
    const admins = await canteen.superadminClient.call(listAdmins)
    const { id } = admins.find(({ username }) => username === 'clerk')!
    await canteen.superadminClient.call(setAdminStatus, { params: { id }, body: { disabled: true } })
    const approve = { params: { id: ids[0]! } }
    expect(await refused(head.call(approveRefund, approve))).toMatchObject({ code: 'approval_asker_gone' })
    await head.call(withdrawRefund, approve)
    await limit(null)
    expect(await head.call(completeRefund, approve)).toMatchObject({ status: 'refunded' })
  })

  const payoutsOf = async (orderId: string) =>
    (await everyEvent(canteen.infrastructure.eventStore))
      .filter(({ type }) => type === 'refunds.refund-paid-back.v1')
      .map(({ data }) => data as { orderId: string; payoutId: string })
      .filter((paid) => paid.orderId === orderId)
      .map(({ payoutId }) => payoutId)

  test('the sum of one administrator and day passes the limit over all families, gifts apart', async () => {
    await limit(null)
    const before = await owed('anna', 2)
    await bursar.call(completeRefund, { params: { id: before.ids[0]! } })
    await limit(50)
    const [first, second] = [await owed('abigail', 2), await owed('bertha', 2)]
    const complete = (id: string, who = bursar) => who.call(completeRefund, { params: { id } })
    expect(await complete(first.ids[0]!)).toMatchObject({ status: 'refunded' })
    expect(await complete(second.ids[0]!)).toEqual({ id: second.ids[0], state: 'approval' })
    const give = (userId: number) =>
      bursar.call(giveCredit, { params: { id: userId }, body: { amount: 30, reason: 'Fête' } })
    expect(await give(first.userId)).toMatchObject({ balance: 30 })
    expect(await give(second.userId)).toMatchObject({ state: 'approval' })
    expect(await head.call(approveRefund, { params: { id: second.ids[0]! } })).toMatchObject({
      status: 'refunded',
    })
    // What two persons let go is nobody's alone.
    const third = await owed('clara', 2)
    expect(await complete(third.ids[0]!, head)).toMatchObject({ status: 'refunded' })
  })

  test('a family is told once of each payout, through crashes and a job that runs again', async () => {
    const { parent, children, userId } = await canteen.payingFamily('mercy', '9')
    const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
    const { id } = orders[0]!
    await canteen.verify([id])
    await parent.call(cancelOrder, { params: { id } })
    await eventually(async () => (await waiting()).some((refund) => refund.id === id))
    const { pool } = canteen.infrastructure.database
    const outbox = await closeOutbox(pool, userId)
    await bursar.call(completeRefund, { params: { id }, body: { amount: 20 } })
    await eventually(async () => (await outbox.tried()) > 0)
    await outbox.open()
    const subject = 'Money was paid back to you'
    const { text } = await mailTo(canteen, 'mercy@example.org', subject)
    expect(text).toMatch(
      /The school has paid back K20\.00 for a meal\. K25\.50 of it is still to be paid back\./,
    )
    await bursar.call(completeRefund, { params: { id } })
    await eventually(async () => (await writtenTo(pool, userId, subject)) === 2)
    const { jobs } = canteen.modules.find(({ name }) => name === 'refunds')!
    const tell = jobs.find(({ job }) => job.name === 'tell-family-of-refund-paid')!
    const payouts = await payoutsOf(id)
    expect(payouts).toHaveLength(2)
    for (const payoutId of payouts)
      await tell.handle({ refundId: id, payoutId }, { jobId: `again-${payoutId}`, attempt: 1 })
    expect(await writtenTo(pool, userId, subject)).toBe(2)
  })
})

describe('two persons', () => {
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

    const gift = await chief.call(giveCredit, {
      params: { id: userId },
      body: { amount: 80, reason: 'Fête' },
    })
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
    const own = { newPassword: 'own-password-9', confirmPassword: 'own-password-9' }
    await asHead.call(updateProfile, { body: { name: 'head', ...own } })
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
})

describe('refunded in another way', () => {
  beforeAll(async () => {
    await limit(null)
  })

  type Way = 'credit' | 'cash' | 'bank'
  const back = (id: string, way: Way) =>
    way === 'credit'
      ? bursar.call(refundToCredit, { params: { id } })
      : bursar.call(completeRefund, { params: { id }, body: { method: way } })
  const gone = { status: 409, code: 'refund_paid_back' }

  test.each([
    ['mary', 'cash', 'credit'],
    ['ruth', 'credit', 'cash'],
    ['esther', 'cash', 'bank'],
  ] as const)(
    '%s: what went back in %s does not go back as %s; asked again in its way it is what it was',
    async (name, way, other) => {
      const {
        ids: [id],
      } = await owed(name, 2)
      expect(await back(id!, way)).toMatchObject({ status: 'refunded' })
      expect(await refused(back(id!, other))).toMatchObject(gone)
      expect(await back(id!, way)).toMatchObject({ status: 'refunded', amount: 45.5 })
      const many = { ids: [id!], method: other === 'credit' ? ('bank' as const) : other }
      expect(await bursar.call(completeRefunds, { body: many })).toMatchObject({
        completed: 0,
        skipped: [{ id, code: 'refund_paid_back' }],
      })
    },
  )

  test('of a part that went back it is said what did, and what is still owed', async () => {
    const { parent, ids } = await owed('hannah', 2)
    const params = { id: ids[0]! }
    const list = async () =>
      (await bursar.call(listRefunds, { query: { status: 'all', text: ids[0]! } })).data[0]
    expect(await list()).not.toHaveProperty('paidBack')
    const part = await bursar.call(completeRefund, { params, body: { amount: 20, method: 'cash' } })
    expect(part).toMatchObject({ status: 'cancelled', amount: 25.5, paidBack: 20 })
    expect(await list()).toMatchObject({ status: 'cancelled', amount: 25.5, paidBack: 20 })
    expect((await parent.call(ownRefunds)).data).toMatchObject([
      { amount: 45.5, owed: 25.5, paidBack: 20, doneAt: null },
    ])
    expect(((await parent.call(listOrders)) as Order[])[0]).toMatchObject({ status: 'cancelled' })
    await bursar.call(refundToCredit, { params })
    expect(await list()).toMatchObject({ status: 'refunded', amount: 45.5 })
    expect((await parent.call(ownRefunds)).data).toMatchObject([
      { amount: 45.5, owed: 0, paidBack: 20, doneAt: expect.any(String) },
    ])
    expect(((await parent.call(listOrders)) as Order[])[0]).toMatchObject({ status: 'refunded' })
  })
})
