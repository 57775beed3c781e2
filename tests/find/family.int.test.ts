import { getFamily, familyFeatures } from '#contracts/find'
import { featureNames, type FeatureName } from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { openFindingSchool, type FindingSchool } from './finding-school'

let canteen: FindingSchool
let mutinta: FindingSchool['mutinta']
let grace: FindingSchool['grace']
beforeAll(async () => {
  canteen = await openFindingSchool()
  ;({ mutinta, grace } = canteen)
  await canteen.verify([mutinta.orders[0]!])
})
afterAll(() => canteen.close())

const page = (id: number, by: Client = canteen.superadminClient) => by.call(getFamily, { params: { id } })

test('the page of a family says in plain sentences what became of its payments, and what helps', async () => {
  const moyo = await page(mutinta.id)
  expect(moyo).toMatchObject({
    parent: { id: mutinta.id, username: 'mutinta.moyo', phone: '+260 97 712 3456' },
    children: [{ name: 'mutinta.moyo 9' }, { name: 'mutinta.moyo 3' }],
    status: [
      `Paid K45.50 by Airtel, one meal; K45.50 by Airtel not paid yet, one meal, reference ${mutinta.reference}`,
    ],
    upcoming: [
      {
        id: mutinta.orders[0],
        mealDate: '2026-09-15',
        paymentStatus: 'confirmed',
        reference: mutinta.reference,
      },
      {
        id: mutinta.orders[1],
        mealDate: '2026-09-16',
        paymentStatus: 'pending',
        payBy: 'airtel',
        lapsesAt: null,
      },
    ],
    money: {
      unpaid: 45.5,
      owedBack: 0,
      help: { what: 'verify', about: mutinta.reference },
      payments: [{ reference: mutinta.reference, amount: 91, unpaid: 45.5 }],
      refunds: [],
    },
    credit: { balance: 0, held: 0, entries: [] },
  })
  expect((await page(grace.id)).status).toEqual(['Paid K45.50 by card, one meal'])
})

test('its messages say whether they left, and its history names people, children and meals, never ids', async () => {
  const moyo = await page(mutinta.id)
  expect(moyo.messages.map(({ to, subject, state }) => ({ to, subject, state }))).toContainEqual({
    to: 'mutinta@example.org',
    subject: expect.stringContaining('How to pay'),
    state: 'sent',
  })
  expect(moyo.reachedBy).toEqual(['mail'])
  await canteen.infrastructure.database.pool.query(`update identity.users set email = null where id = $1`, [
    mutinta.id,
  ])
  expect((await page(mutinta.id)).reachedBy).toEqual([])
  expect(moyo.history.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('Ordered Stew for mutinta.moyo 9 on 2026-09-15'),
  )
  const told = JSON.stringify([...moyo.history, ...(await page(grace.id)).history])
  expect(told).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|\d\.\d{4}-\d\d-\d\d|student \d|item \d|user \d/)
})

test('it is for the features that show families, and there is none of an administrator', async () => {
  for (const feature of featureNames) {
    const by = await canteen.administrator(`page-${feature}`, feature)
    const status = await page(mutinta.id, by).then(
      () => 200,
      (error: { status: number }) => error.status,
    )
    expect({ feature, status }).toEqual({ feature, status: isFor(feature) ? 200 : 403 })
  }
  expect(await refused(page(1))).toMatchObject({ status: 404, code: 'family_not_found' })
  expect(await refused(page(999_999))).toMatchObject({ status: 404, code: 'family_not_found' })
})
const isFor = (feature: FeatureName): boolean => familyFeatures.some((one) => one === feature)
