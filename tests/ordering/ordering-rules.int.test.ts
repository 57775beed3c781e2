import { getOrderingRules, saveOrderingRules, type OrderingRules } from '#contracts/ordering-rules'
import { openCanteen, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const asFirst: OrderingRules = {
  cancelUntil: 'hour',
  lateRemedy: 'credit',
  absence: 'none',
  absencePercent: 100,
  lowPortions: 10,
}
const other: OrderingRules = {
  cancelUntil: 'cutoff',
  lateRemedy: 'refund',
  absence: 'credit',
  absencePercent: 0,
  lowPortions: 3,
}

test('until they are set, the rules are those of the first documents; everybody signed in reads them', async () => {
  const { parent } = await canteen.family('rita')
  expect(await parent.call(getOrderingRules)).toEqual(asFirst)
  expect((await refused(canteen.visitor().call(getOrderingRules))).status).toBe(401)
})

test('who has the feature settings sets them, and everybody reads them at once', async () => {
  const { parent } = await canteen.family('rosa')
  const cook = await canteen.administrator('rulescook', 'kitchen')
  const office = await canteen.administrator('rulesoffice', 'settings')
  expect((await refused(cook.call(saveOrderingRules, { body: other }))).status).toBe(403)
  expect(await office.call(saveOrderingRules, { body: other })).toEqual(other)
  expect(await parent.call(getOrderingRules)).toEqual(other)
  await office.call(saveOrderingRules, { body: asFirst })
  expect(await parent.call(getOrderingRules)).toEqual(asFirst)
})

test.each([
  [{ cancelUntil: 'never' }, 'cancelUntil'],
  [{ lateRemedy: 'cash' }, 'lateRemedy'],
  [{ absence: 'refund' }, 'absence'],
  [{ absencePercent: 101 }, 'absencePercent'],
  [{ absencePercent: 0.5 }, 'absencePercent'],
  [{ lowPortions: -1 }, 'lowPortions'],
])('%j is refused', async (wrong, field) => {
  const body = { ...asFirst, ...wrong } as OrderingRules
  const answer = await refused(canteen.superadminClient.call(saveOrderingRules, { body }))
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.fields ?? {})).toEqual([field])
  expect(await canteen.superadminClient.call(getOrderingRules)).toEqual(asFirst)
})
