import { moveStudent } from '#contracts/enrolment'
import {
  getOrderingRules,
  saveOrderingRules,
  cancelOrder,
  changeOrder,
  listOrders,
  setAbsence,
  type Order,
} from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { type Canteen, openCanteen, place } from '../ordering/canteen'
import { mailTo } from '../support/mails'
import { listMails } from '../../src/adapters/mail'
import { guardiansOf, type Person } from './guardians'

let canteen: Canteen
let people: ReturnType<typeof guardiansOf>
beforeAll(async () => {
  canteen = await openCanteen()
  people = guardiansOf(canteen)
  const { superadminClient: office } = canteen
  const rules = await office.call(getOrderingRules)
  await office.call(saveOrderingRules, { body: { ...rules, absence: 'credit', absencePercent: 50 } })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const told = async ({ email }: Person) =>
  (await listMails(canteen.dataDir))
    .filter(({ to, subject }) => to.includes(email) && /^A (meal|child)/.test(subject))
    .map(({ subject }) => subject)

test('who has paid is told once what another guardian does with the lunch, and not of their own acts', async () => {
  const { first, small } = await people.firstGuardian('mwape')
  const payer = await people.person('sibeso')
  await people.becomeSecond(first, payer, small)
  const [own, cancelled, changed] = await place(payer.client, [
    canteen.porridgeFor(small, 5),
    canteen.porridgeFor(small, 3),
    canteen.porridgeFor(small, 4),
  ])
  await payer.client.call(cancelOrder, { params: { id: own!.id } })
  for (const _again of [1, 2]) await first.client.call(cancelOrder, { params: { id: cancelled!.id } })
  const { text } = await mailTo(canteen, payer.email, 'A meal of yours was cancelled')
  expect(text).toContain(
    `Another guardian of ${small.name} has cancelled School porridge on Wednesday, 16 September 2026, which you had ordered. Nothing is to be paid back.`,
  )
  const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
  await first.client.call(changeOrder, {
    params: { id: changed!.id },
    body: { ...other, discountedPrice: 0 },
  })
  expect((await mailTo(canteen, payer.email, 'A meal of yours was changed')).text).toContain(
    'has chosen another meal instead of School porridge on Thursday, 17 September 2026, which you had ordered. It costs the same.',
  )
  expect((await told(payer)).toSorted()).toEqual([
    'A meal of yours was cancelled',
    'A meal of yours was changed',
  ])
  expect(await told(first)).toEqual([])
})

test('the money that a cancelled or an uneaten lunch gives back is named to who has paid', async () => {
  const { first, big } = await people.firstGuardian('likando')
  const payer = await people.person('namakau')
  await people.becomeSecond(first, payer, big)
  const cartItems = [canteen.stewFor(big, 1, { weekNumber: 2 }), canteen.stewFor(big, 2, { weekNumber: 2 })]
  const { TransToken } = await payer.client.call(createPayment, { body: { amount: 91, cartItems } })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'slow', card: '4111111111111111' }),
  })
  canteen.setClock('2026-09-14T07:03:00+02:00')
  await payer.client.call(verifyPayment, { params: { transactionId: TransToken } })
  const orders = (await first.client.call(listOrders)) as Order[]
  const on = (date: string) => ({ params: { id: orders.find(({ mealDate }) => mealDate === date)!.id } })
  await first.client.call(cancelOrder, on('2026-09-22'))
  expect((await mailTo(canteen, payer.email, 'A meal of yours was cancelled')).text).toContain(
    'K45.50 goes back to you.',
  )
  canteen.setClock('2026-09-21T09:00:00+02:00')
  await first.client.call(setAbsence, on('2026-09-21'))
  expect((await mailTo(canteen, payer.email, 'is ill')).text).toContain('K22.75 goes to your credit.')
  await first.client.call(setAbsence, { ...on('2026-09-21'), body: { absent: false } })
  expect((await mailTo(canteen, payer.email, 'after all')).text).toContain(
    'Credit that was given for it is taken back.',
  )
})

test('the family that has paid hears what becomes of the lunch of a child that moved', async () => {
  const { first, small } = await people.firstGuardian('mubita')
  const next = await people.person('inonge')
  const [order] = await place(first.client, [canteen.porridgeFor(small, 5)])
  await canteen.superadminClient.call(moveStudent, {
    params: { id: small.id },
    body: { parentId: next.userId },
  })
  await next.client.call(cancelOrder, { params: { id: order!.id } })
  await mailTo(canteen, first.email, 'A meal of yours was cancelled')
  expect(await told(next)).toEqual([])
})
