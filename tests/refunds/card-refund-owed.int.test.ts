import { auditEntries } from '#contracts/audit'
import { setOrderStatus } from '#contracts/kitchen'
import { listOrders, type Order } from '#contracts/ordering'
import { approveRefund, completeRefund, refundToCredit } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { auditFindings, auditNotes, nothingWrong } from '../audit/audit-findings'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'
import { openCardOffice, type CardOffice } from './card-office'

let school: CardOffice

beforeAll(async () => {
  school = await openCardOffice(sweeping)
})
afterAll(() => school.close())
beforeEach(async () => {
  school.setClock('2026-09-14T07:00:00+02:00')
  await school.settings({ refundApprovalAbove: 40 })
})

const statusOf = async (parent: Client, id: string) =>
  ((await parent.call(listOrders)) as Order[]).find((order) => order.id === id)?.status
const approved = async (id: string) => {
  await eventually(async () => (await school.listed(id))?.approval !== null)
  return school.office.head.call(approveRefund, { params: { id } })
}
const reopen = async (id: string) =>
  (
    await school.canteen.superadminClient.call(setOrderStatus, {
      body: { orderIds: [id], status: 'pending' },
    })
  ).skipped

test.each([
  ['joseph', 'REFUNDNO', 'failed'],
  ['ruth', 'REFUNDDECLINED', 'failed'],
  ['naomi', 'REFUNDWAIT', 'pending'],
  ['chola', 'REFUNDLATE', 'requested'],
  ['mutale', 'REFUNDLOST', 'requested'],
])(
  '%s: while the provider has not paid (%s), it is owed, in the order and for the audit',
  async (name, tag, state) => {
    const noted = state === 'failed' ? 'refused K' : 'on its way or not answered K'
    const { parent, first } = await school.owedByCard(name, tag)
    expect(await school.toCard(first, `${name}-1`)).toEqual({ id: first, state: 'approval' })
    expect(await approved(first)).toMatchObject({ status: 'cancelled', amount: 45.5 })
    expect(await school.listed(first)).toMatchObject({ status: 'cancelled', amount: 45.5, card: { state } })
    expect(await statusOf(parent, first)).toBe('cancelled')
    expect(await auditFindings(school.canteen)).toEqual(nothingWrong)
    expect(await auditNotes(school.canteen)).toEqual([expect.stringContaining(noted)])
  },
)

test.each([
  ['agnes', 'REFUNDNO'],
  ['rhoda', 'REFUNDDECLINED'],
])('%s: what was refused (%s) is asked for and approved again, until it has gone', async (name, tag) => {
  const { parent, token, first } = await school.owedByCard(name, tag)
  for (const key of ['1', '2']) {
    expect(await school.toCard(first, `${name}-${key}`)).toEqual({ id: first, state: 'approval' })
    await approved(first)
    expect(await school.listed(first)).toMatchObject({ card: { state: 'failed' }, approval: null })
  }
  await school.dpo.script(token, 'PAID')
  expect(await school.toCard(first, `${name}-3`)).toEqual({ id: first, state: 'approval' })
  expect(await approved(first)).toMatchObject({ status: 'refunded' })
  expect(await statusOf(parent, first)).toBe('refunded')
  expect(await auditFindings(school.canteen)).toEqual(nothingWrong)
})

test('while it may be on its way the order is not cooked again; after a refusal it may be', async () => {
  const { parent, first, second } = await school.owedByCard('mercy', 'REFUNDWAIT')
  await school.settings({ refundApprovalAbove: null })
  await school.toCard(first, 'mercy-1')
  expect(await reopen(first)).toMatchObject([{ id: first, code: 'refund_under_way' }])
  const refused2 = await school.owedByCard('dorcas', 'REFUNDNO')
  await school.toCard(refused2.first, 'dorcas-1')
  expect(await reopen(refused2.first)).toEqual([])
  expect(await statusOf(refused2.parent, refused2.first)).toBe('pending')
  await eventually(async () => (await school.listed(refused2.first)) === undefined)
  expect(await statusOf(parent, second)).toBe('cancelled')
  expect(await auditFindings(school.canteen)).toEqual(nothingWrong)
})

test('a part that was paid back leaves the rest owed, in the order too', async () => {
  const { parent, first } = await school.owedByCard('eunice', null)
  await school.settings({ refundApprovalAbove: null })
  const params = { id: first }
  await school.office.bursar.call(completeRefund, { params, body: { amount: 20, method: 'cash' } })
  expect(await statusOf(parent, first)).toBe('cancelled')
  expect(await reopen(first)).toMatchObject([{ id: first, code: 'refund_under_way' }])
  expect(await auditFindings(school.canteen)).toEqual(nothingWrong)
  await school.office.bursar.call(refundToCredit, { params })
  expect(await statusOf(parent, first)).toBe('refunded')
  expect(await refused(school.toCard(first, 'eunice-1'))).toMatchObject({ code: 'refund_paid_back' })
  expect(await auditFindings(school.canteen)).toEqual(nothingWrong)
  const { data } = await school.canteen.superadminClient.call(auditEntries, { query: { kind: 'refund' } })
  expect(data.map(({ what }) => what)).toContain('Money for the order goes back: it cannot be placed again')
})
