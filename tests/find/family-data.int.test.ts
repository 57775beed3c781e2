import { saveHealth } from '#contracts/health'
import { listStudents } from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { savePlan } from '#contracts/plan'
import { familyData } from '#contracts/privacy'
import type { Client } from '../../src/app/demo/client'
import { refusal } from '../identity/people'
import { type FindingSchool, openFindingSchool } from './finding-school'

describe('all that is kept about a family', () => {
  let canteen: FindingSchool
  let mutinta: Client
  beforeAll(async () => {
    canteen = await openFindingSchool()
    mutinta = await canteen.signIn('mutinta.moyo', 'parent-password')
  })
  afterAll(() => canteen.close())

  const of = (client: Client, currentPassword = 'parent-password') =>
    client.call(familyData, { body: { currentPassword } })

  test('has a part of each module, each with what this family has', async () => {
    const file = await of(mutinta)
    expect(file).toMatchObject({ schoolName: 'Lusaka Test School', username: 'mutinta.moyo', cut: [] })
    expect(Object.keys(file.data).toSorted()).toEqual([
      'account',
      'children',
      'consents',
      'creditEntries',
      'discountCodes',
      'guardianInvitations',
      'health',
      'history',
      'mealsInSpiteOfAllergies',
      'messages',
      'orders',
      'payments',
      'plan',
      'receipts',
      'refunds',
      'secondGuardianOf',
      'sessions',
      'transfers',
    ])
    expect(file.data.account).toEqual([
      expect.objectContaining({ name: 'Mutinta Chisenga', email: 'mutinta@example.org' }),
    ])
    expect(file.data.children).toHaveLength(2)
    expect(file.data.orders!.map(({ id }) => id).toSorted()).toEqual(canteen.mutinta.orders.toSorted())
    expect(file.data.orders![0]).toMatchObject({ price: 45.5, payBy: 'airtel' })
    expect(file.data.payments).toEqual([
      expect.objectContaining({ amount: 91, reference: canteen.mutinta.reference }),
    ])
    expect(file.data.consents).toMatchObject([{ what: 'privacy notice accepted', version: 1 }])
    expect(file.data.history!.length).toBeGreaterThan(0)
    expect(file.data.messages!.length).toBeGreaterThan(0)
    expect(file.data.sessions!.length).toBeGreaterThan(0)
  })

  test('has what the family told of health, and its consent', async () => {
    const [child] = (await of(mutinta)).data.children!
    await mutinta.call(saveHealth, {
      params: { id: Number(child!.id) },
      body: { allergies: ['Milk'], diet: 'halal', medicalNote: 'An inhaler', noteConsent: true },
    })
    const { data } = await of(mutinta)
    expect(data.health).toMatchObject([{ diet: 'halal', medicalNote: 'An inhaler' }])
    expect(data.consents).toHaveLength(2)
  })

  test('has the payment by card with its receipt, and nothing of another family', async () => {
    const grace = await of(await canteen.signIn('grace', 'parent-password'))
    expect(grace.data.payments).toMatchObject([
      { receivedAmount: 45.5, providerReference: canteen.grace.providerReference },
    ])
    expect(grace.data.receipts).toHaveLength(1)
    const words = JSON.stringify(grace)
    for (const other of ['Chisenga', 'mutinta', canteen.mutinta.reference, ...canteen.mutinta.orders])
      expect(words).not.toContain(other)
  })

  test("has the codes of the account and of its children, without the sponsor's name, and the plan", async () => {
    const office = canteen.superadminClient
    const before = await of(mutinta)
    expect(before.data).toMatchObject({ discountCodes: [], plan: [] })
    const [child] = await mutinta.call(listStudents)
    const code = { userId: canteen.mutinta.id, sponsor: 'Zebra Foundation', isActive: true }
    await office.call(createDiscountCode, { body: { ...code, code: 'OWN-1', discountPercentage: 10 } })
    await office.call(createDiscountCode, {
      body: { ...code, code: 'CHILD-1', studentId: child!.id, discountPercentage: 50 },
    })
    await office.call(saveOrderingRules, {
      body: { ...(await office.call(getOrderingRules)), plans: true },
    })
    const dish = { menuItemId: canteen.items.stew.id, category: 'beef', sideDish: null, price: 45.5 }
    await mutinta.call(savePlan, {
      body: {
        children: [{ studentId: child!.id, days: [{ day: 2, dishes: [dish] }] }],
        at: { day: 0, hour: 17, minute: 0 },
        pay: { by: 'credit' },
        weekLimit: 100,
      },
    })
    const { data } = await of(mutinta)
    expect(data.discountCodes).toEqual([
      expect.objectContaining({ code: 'CHILD-1', studentId: child!.id, percentage: 50 }),
      expect.objectContaining({ code: 'OWN-1', studentId: null, percentage: 10 }),
    ])
    expect(JSON.stringify(data.discountCodes)).not.toContain('Zebra')
    expect(data.plan).toEqual([
      {
        children: [{ studentId: child!.id, days: [{ day: 2, dishes: [dish] }] }],
        at: { day: 0, hour: 17, minute: 0 },
        pay: { by: 'credit' },
        weekLimit: 100,
        paused: false,
        skipped: [],
        weeks: [],
      },
    ])
    const grace = await of(await canteen.signIn('grace', 'parent-password'))
    expect(grace.data).toMatchObject({ discountCodes: [], plan: [] })
  })

  test('has no secrets', async () => {
    const words = JSON.stringify(await of(mutinta))
    expect(words).not.toMatch(/argon2|hash|secret|token/i)
  })

  test('is given for the right password, to families alone, and a few times an hour', async () => {
    await expect(of(mutinta, 'wrong')).rejects.toEqual(refusal(422, 'wrong_current_password'))
    await expect(of(canteen.superadminClient)).rejects.toMatchObject({ status: 403 })
    const route = canteen.routes.find(
      (one) => one.kind === 'json' && one.endpoint.path === '/api/profile/data',
    )
    expect(route!.options.limit).toMatchObject({ points: 5, seconds: 3600, by: 'user' })
  })
})
