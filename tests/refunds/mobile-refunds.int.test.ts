import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { approveRefund, completeRefund, withdrawRefund } from '#contracts/refunds'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'
import { type CardOffice, openCardOffice } from './card-office'

let school: CardOffice
beforeAll(async () => {
  school = await openCardOffice()
  const { superadminClient: office } = school.canteen
  const settings = await office.call(getPaymentBypass)
  await office.call(savePaymentBypass, {
    body: { ...settings, prompt: true, currentPassword: superadminPassword },
  })
})
afterAll(() => school.close())

const wholeOnly = {
  status: 409,
  code: 'whole_only',
  message: 'Mobile money goes back only as a whole. Give credit, or pay it back by hand.',
}

test('a part of mobile money does not go back through the provider', async () => {
  const { parent, token, first } = await school.paidByPhone('inonge', '0977300001')
  await school.cancelled(parent, [first])
  expect(await school.listed(first.id)).toMatchObject({
    payBy: 'airtel',
    allowed: { complete: true, card: false },
  })
  expect(await refused(school.toCard(first.id, 'part-1'))).toMatchObject(wholeOnly)
  expect(school.dpo.transaction(token).refunds).toEqual([])
})

test('all of it goes back in one act, which completes every refund', async () => {
  const { parent, token, first, second } = await school.paidByPhone('jere', '0977300002')
  await school.cancelled(parent, [first, second])
  for (const { id } of [first, second])
    expect(await school.listed(id)).toMatchObject({ allowed: { card: true } })
  expect(await school.toCard(first.id, 'whole-1')).toEqual({ state: 'done', reason: null })
  expect(school.dpo.transaction(token).refunds).toMatchObject([{ amount: 9100 }])
  for (const { id } of [first, second])
    await eventually(async () => (await school.listed(id))?.status === 'refunded')
  expect(await school.toCard(first.id, 'whole-1')).toEqual({ state: 'done', reason: null })
  expect(school.dpo.transaction(token).refunds).toHaveLength(1)
})

test('refused by the provider: both are owed still, and may be paid back by hand', async () => {
  const { parent, token, first, second } = await school.paidByPhone('kunda', '0977300003')
  await school.cancelled(parent, [first, second])
  await school.dpo.script(token, 'REFUNDNO')
  expect(await school.toCard(second.id, 'refused-1')).toMatchObject({ state: 'failed' })
  for (const { id } of [first, second])
    expect(await school.listed(id)).toMatchObject({ status: 'cancelled', card: { state: 'failed' } })
})

test('released later: the sweep completes both', async () => {
  const { parent, token, first, second } = await school.paidByPhone('lungu', '0977300004')
  await school.cancelled(parent, [first, second])
  await school.dpo.script(token, 'REFUNDRELEASE')
  expect(await school.toCard(first.id, 'release-1')).toMatchObject({ state: 'pending' })
  expect(await refused(school.toCard(second.id, 'release-2'))).toMatchObject({ code: 'refund_pending' })
  school.setClock('2026-09-14T07:30:00+02:00')
  await school.sweep()
  await eventually(async () => {
    await school.sweep()
    const both = await Promise.all([first, second].map(({ id }) => school.listed(id)))
    return both.every((one) => one?.status === 'refunded')
  })
})

test('above the limit what is shown and judged is what is sent, in one request for all rows', async () => {
  await school.settings({ refundApprovalAbove: 50 })
  school.setClock('2026-09-14T07:00:00+02:00')
  const { parent, token, first, second } = await school.paidByPhone('mulenga', '0977300005')
  await school.cancelled(parent, [first, second])
  expect(await school.toCard(first.id, 'limit-1')).toEqual({ id: first.id, state: 'approval' })
  for (const { id } of [first, second])
    expect(await school.listed(id)).toMatchObject({
      asked: { amount: 91, toCard: true },
      approval: { by: 'bursar' },
    })
  expect(await refused(school.toCard(second.id, 'limit-2'))).toMatchObject({ status: 409, code: 'approval' })
  expect(school.dpo.transaction(token).refunds).toEqual([])

  const { bursar, head } = school.office
  await bursar.call(withdrawRefund, { params: { id: second.id } })
  for (const { id } of [first, second]) expect(await school.listed(id)).toMatchObject({ approval: null })
  expect(await school.toCard(second.id, 'limit-3')).toMatchObject({ state: 'approval' })

  const approve = (id: string) => head.call(approveRefund, { params: { id } })
  await approve(first.id)
  for (const { id } of [first, second])
    await eventually(async () => (await school.listed(id))?.status === 'refunded')
  expect(school.dpo.transaction(token).refunds).toMatchObject([{ amount: 9100 }])
  await approve(first.id)
  await approve(second.id)
  expect(school.dpo.transaction(token).refunds).toHaveLength(1)
  await school.settings({ refundApprovalAbove: null })
})

test('waits while another of its rows waits to go back by hand', async () => {
  await school.settings({ refundApprovalAbove: 40 })
  const { parent, token, first, second } = await school.paidByPhone('tembo', '0977300006')
  await school.cancelled(parent, [first, second])
  const body = { method: 'cash' as const }
  const inCash = await school.office.bursar.call(completeRefund, { params: { id: second.id }, body })
  expect(inCash).toMatchObject({ state: 'approval' })
  expect(await refused(school.toCard(first.id, 'row-1'))).toMatchObject({ status: 409, code: 'approval' })
  await school.settings({ refundApprovalAbove: null })
  expect(await refused(school.toCard(first.id, 'row-2'))).toMatchObject({ status: 409, code: 'approval' })
  expect(school.dpo.transaction(token).refunds).toEqual([])
})
