import { setOrderStatus } from '#contracts/kitchen'
import { attemptHistory } from '#contracts/payments-console'
import {
  checkCardRefund,
  completeRefund,
  completeRefunds,
  ownRefunds,
  refundToCard,
  refundToCredit,
} from '#contracts/refunds'
import { contextsOf } from '#platform/module'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { openCardOffice, type CardOffice } from './card-office'

let school: CardOffice
let canteen: CardOffice['canteen']
let dpo: CardOffice['dpo']
let bursar: Client

beforeAll(async () => {
  school = await openCardOffice()
  ;({ canteen, dpo } = school)
  bursar = school.office.bursar
})
afterAll(() => school.close())

const setClock: CardOffice['setClock'] = (to) => school.setClock(to)
const listed: CardOffice['listed'] = (id) => school.listed(id)
const toCard: CardOffice['toCard'] = (id, key) => school.toCard(id, key)
const sweep: CardOffice['sweep'] = () => school.sweep()
const owedByCard: CardOffice['owedByCard'] = (username, tag) => school.owedByCard(username, tag)
beforeEach(async () => {
  setClock('2026-09-14T07:00:00+02:00')
  await school.settings({ cardRefunds: true })
})

test('back to the card: asked once, listed as done, and the family sees it', async () => {
  const { parent, token, first } = await owedByCard('mwila', null)
  expect(await listed(first)).toMatchObject({
    card: null,
    allowed: { complete: true, card: true, check: false, approve: false, withdraw: false },
  })
  expect(await toCard(first, 'mwila-1')).toEqual({ state: 'done', reason: null })
  expect(await toCard(first, 'mwila-1')).toEqual({ state: 'done', reason: null })
  expect(await refused(toCard(first, 'mwila-2'))).toMatchObject({ status: 409, code: 'refund_paid_back' })
  expect(dpo.transaction(token).refunds).toMatchObject([{ amount: 4550, code: '003' }])
  expect(await listed(first)).toMatchObject({
    status: 'refunded',
    card: { state: 'done' },
    creditNote: 'CN2026-000001',
    allowed: { complete: false, card: false, check: false, approve: false, withdraw: false },
  })
  expect((await parent.call(ownRefunds)).data.find(({ orderId }) => orderId === first)).toMatchObject({
    owed: 0,
  })
  expect(
    (await canteen.superadminClient.call(setOrderStatus, { body: { orderIds: [first], status: 'pending' } }))
      .skipped,
  ).toMatchObject([{ code: 'already_refunded' }])
})

test('only with the setting, the feature and a card payment', async () => {
  const { first } = await owedByCard('natasha', null)
  await school.settings({ cardRefunds: false })
  expect((await listed(first))?.allowed.card).toBe(false)
  expect(await refused(toCard(first, 'natasha-1'))).toMatchObject({ status: 409, code: 'card_refunds_off' })
  expect(await refused(toCard('1.2020-01-06.1', 'natasha-1'))).toMatchObject({ status: 404 })
  const cook = await canteen.administrator('cook', 'kitchen')
  expect(await refused(cook.call(refundToCard, { params: { id: first } }))).toMatchObject({ status: 403 })
})

test('two refunds of one payment at once: one is asked for, then the other', async () => {
  const { token, first, second } = await owedByCard('grace', 'REFUNDRELEASE')
  const both = await Promise.allSettled([toCard(first, 'grace-1'), toCard(second, 'grace-2')])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(dpo.transaction(token).refunds).toHaveLength(1)
  setClock('2026-09-14T07:11:00+02:00')
  await eventually(async () => {
    await sweep()
    return (await listed(first))?.status === 'refunded' || (await listed(second))?.status === 'refunded'
  })
  const left = (await listed(first))?.status === 'refunded' ? second : first
  expect(await toCard(left, 'grace-3')).toMatchObject({ state: 'pending' })
  expect(dpo.transaction(token).refunds).toHaveLength(2)
})

test('while nobody knows, no other way pays it back, and its list tells in the end', async () => {
  const { token, first } = await owedByCard('chola', 'REFUNDLATE')
  expect(await toCard(first, 'chola-1')).toMatchObject({ state: 'requested', reason: expect.any(String) })
  const params = { id: first }
  for (const other of [
    bursar.call(completeRefund, { params, body: { method: 'cash' } }),
    bursar.call(refundToCredit, { params }),
    toCard(first, 'chola-2'),
  ].map(refused))
    expect(await other).toMatchObject({ status: 409, code: 'refund_pending' })
  expect(await bursar.call(completeRefunds, { body: { ids: [first], method: 'cash' } })).toMatchObject({
    completed: 0,
    skipped: [{ code: 'refund_pending' }],
  })
  expect((await listed(first))?.allowed).toEqual({
    complete: false,
    card: false,
    check: false,
    approve: false,
    withdraw: false,
  })
  setClock('2026-09-14T07:11:00+02:00')
  await eventually(async () => {
    await sweep()
    return (await listed(first))?.card?.state === 'done'
  })
  expect(await listed(first)).toMatchObject({ status: 'refunded' })
  expect(dpo.transaction(token).refunds).toHaveLength(1)
})

test.each([
  ['joseph', 'REFUNDNO', 'Refund failed (999)'],
  ['ruth', 'REFUNDDECLINED', 'code 008'],
])('%s: refused (%s), it is said why, and it goes back in cash', async (username, tag, why) => {
  const { first } = await owedByCard(username, tag)
  expect(await toCard(first, `${username}-1`)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining(why),
  })
  expect((await listed(first))?.allowed).toEqual({
    complete: true,
    card: true,
    check: false,
    approve: false,
    withdraw: false,
  })
  await bursar.call(completeRefund, { params: { id: first }, body: { method: 'cash' } })
})

test('what stays unclear for a day is for a person, and stands in the history', async () => {
  const { token, first } = await owedByCard('mutale', 'REFUNDLOST')
  await toCard(first, 'mutale-1')
  setClock('2026-09-15T07:02:00+02:00')
  await school.signInAgain()
  bursar = school.office.bursar
  await eventually(async () => {
    await sweep()
    return (await listed(first))?.allowed.check
  })
  const say = { params: { id: first }, body: { outcome: 'failed', note: 'Not in the portal' } } as const
  expect(await bursar.call(checkCardRefund, say)).toMatchObject({ state: 'failed' })
  expect((await listed(first))?.allowed.complete).toBe(true)
  const { rows } = await canteen.infrastructure.database.pool.query<{ id: string }>(
    'select id from payments.attempts where token = $1',
    [token],
  )
  const { data } = await bursar.call(attemptHistory, { params: { id: rows[0]!.id } })
  expect(data.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'K45.50 asked back to the card',
      'The card provider gave no clear answer about the refund to the card',
      'Found out: nothing went back to the card',
    ]),
  )
})

test('a rebuild makes the same rows', async () => {
  const contexts = contextsOf(canteen.modules).filter(({ name }) => name === 'refunds')
  await expectRebuildEqualsLive({
    ...canteen.infrastructure,
    contexts,
    filled: ['refunds.refunds', 'refunds.card_refunds'],
  })
})
