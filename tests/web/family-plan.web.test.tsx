import { screen, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { listStudents } from '#contracts/identity'
import { getOrderingRules, listOrders } from '#contracts/ordering'
import { getPaymentBypass, type PaymentBypass } from '#contracts/payments'
import { endPlan, getPlan, pausePlan, savePlan, skipPlanDay, type PlanReply } from '#contracts/plan'
import { readCart } from '../../web/features/cart/cart'
import { type FakeServer, refusal } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press } from './open-portal'
import { burger, bwalya, chanda, cycle, order, orderingRules, pizza, stew, parent } from './sample-family'

let server: FakeServer

const noPlan: PlanReply = { offered: true, plan: null, next: null, weeks: [], version: 'none' }
const dish = { menuItemId: stew.id, category: 'beef', sideDish: 'rice', price: 45 }
const plan: NonNullable<PlanReply['plan']> = {
  children: [{ studentId: chanda.id, days: [1, 2].map((day) => ({ day, dishes: [dish] })) }],
  at: { day: 0, hour: 17, minute: 0 },
  pay: { by: 'prompt', network: 'airtel' },
  weekLimit: null,
  paused: false,
  version: 'first',
}
const wallet = { name: '', number: '' }
const prompts: PaymentBypass = {
  enabled: false,
  beside: false,
  prompt: true,
  unpaidUntil: 'never',
  airtelMoney: wallet,
  mtnMoney: wallet,
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}

describe('the plan of a family', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(listStudents, [chanda, bwalya])
    server.on(listMenu, [stew, pizza, { ...burger, daysOfWeek: [1, 2] }])
    server.on(listOrders, [
      order({ cycleId: 6, mealDate: '2026-08-31' }),
      order({ id: '2.2026-08-31.1', studentId: bwalya.id, cycleId: 6, mealDate: '2026-08-31' }),
    ])
    server.on(getOrderingRules, { ...orderingRules, plans: true })
    server.on(getPlan, noPlan)
    server.on(getPaymentBypass, prompts)
  })

  const weekChosen = async () => {
    const hands = openPortal('/', parent)
    const [first] = await screen.findAllByRole('button', { name: 'Order this week' })
    await hands.click(first!)
    const week = within(await screen.findByRole('dialog'))
    for (const all of [/^Beef/, /^Any side/])
      for (const missing of week.queryAllByRole('button', { name: all })) await hands.click(missing)
    return { hands, week }
  }

  test('is set with two presses after a week was chosen, and says what it asks for', async () => {
    server.on(savePlan, { ...noPlan, plan })
    const { hands, week } = await weekChosen()
    await hands.click(await week.findByRole('button', { name: 'Order this every week' }))
    const summary = within(await week.findByRole('region', { name: 'Order this every week' }))
    expect(
      summary.getByText('We ask for your PIN once a week; without it nothing is ordered.'),
    ).toBeInTheDocument()
    expect(summary.getByLabelText('Order on')).toHaveDisplayValue('Sunday')
    await hands.click(summary.getByRole('button', { name: 'Save the plan' }))
    expect(await screen.findByText('Your plan is saved')).toBeInTheDocument()
    const { body } = server.asked(savePlan)[0] as unknown as { body: typeof plan }
    expect(body).toMatchObject({ at: plan.at, pay: plan.pay, weekLimit: null })
    expect(body.children[0]!.days[0]).toMatchObject({ day: 1, dishes: [{ price: expect.any(Number) }] })
  })

  test('that is refused says why', async () => {
    server.on(savePlan, () => refusal(409, 'phone_not_verified', 'Please confirm your phone number first.'))
    const { hands, week } = await weekChosen()
    await hands.click(await week.findByRole('button', { name: 'Order this every week' }))
    await hands.click(await week.findByRole('button', { name: 'Save the plan' }))
    expect(await week.findByRole('alert')).toHaveTextContent('Please confirm your phone number first.')
  })

  test('is not offered where the school has none', async () => {
    server.on(getOrderingRules, orderingRules)
    const { week } = await weekChosen()
    expect(week.queryByRole('button', { name: 'Order this every week' })).not.toBeInTheDocument()
  })

  test('the same goes into the cart for each later week, and words say what does not', async () => {
    const [first, second] = cycle.weeks!
    const later = (number: number, monday: string, ofMonday: 'open' | 'blocked') => ({
      ...second!,
      week: number,
      startDate: monday,
      days: second!.days.map((day, at) => {
        const date = new Date(Date.parse(monday) + at * 86_400_000).toISOString().slice(0, 10)
        const state = at === 0 ? ofMonday : ('open' as const)
        return { ...day, week: number, date, cutoffAt: `${date}T06:00:00.000Z`, state }
      }),
    })
    const weeks = [first!, second!, later(3, '2026-09-21', 'open'), later(4, '2026-09-28', 'blocked')]
    server.on(listCycles, [{ ...cycle, weeks }])
    server.on(listMenu, [{ ...stew, weekNumbers: [2, 3, 4] }])
    server.on(listOrders, [order({ cycleId: 6, mealDate: '2026-08-31' })])
    const { hands, week } = await weekChosen()
    await hands.click(await week.findByRole('button', { name: 'The same until the end of the cycle' }))
    expect(await week.findByText(/meals? of later weeks put into your cart/)).toBeInTheDocument()
    expect(readCart(parent.id).every(({ weekNumber }) => weekNumber === 3)).toBe(true)
    expect(readCart(parent.id)[0]).toMatchObject({ date: '2026-09-21', studentId: chanda.id })
    expect(week.getByText(/^Monday 28 September, Chanda: /)).toBeInTheDocument()
  })

  test('stands in one line among the students: changed, paused, gone on with and ended', async () => {
    server.on(getPlan, { ...noPlan, plan })
    server.on(pausePlan, { ...noPlan, plan: { ...plan, paused: true } })
    server.on(endPlan, noPlan)
    const hands = openPortal('/?tab=students', parent)
    expect(
      await screen.findByText(/2 meals a week, ordered on Sunday 17:00 · Airtel Money, PIN on your phone/),
    ).toBeInTheDocument()
    server.on(getPlan, { ...noPlan, plan: { ...plan, paused: true } })
    await press(hands, 'Pause')
    expect(await screen.findByRole('button', { name: 'Go on' })).toBeInTheDocument()
    expect(server.asked(pausePlan)[0]).toMatchObject({ body: { paused: true } })
    await press(hands, 'Change')
    expect(await screen.findByRole('dialog', { name: 'Change your plan' })).toBeInTheDocument()
    await press(hands, 'Close')
    await press(hands, 'End')
    server.on(getPlan, noPlan)
    await press(hands, 'End the plan')
    expect(server.asked(endPlan)).toHaveLength(1)
  })

  test('is told above the meals of its days, which can be skipped and planned again', async () => {
    const next = {
      week: '2026-09-14',
      at: '2026-09-13T15:00:00.000Z',
      state: null,
      total: 45,
      credit: 0,
      toPay: 45,
      orders: [
        { orderId: null, studentId: chanda.id, date: '2026-09-14', menuItem: 'Chicken and rice', price: 45 },
      ],
      left: [{ studentId: chanda.id, date: '2026-09-15', code: 'skipped' as const, message: 'Skipped' }],
    }
    server.on(getPlan, { ...noPlan, plan, next })
    server.on(skipPlanDay, { ...noPlan, plan, next })
    const hands = openPortal('/', parent)
    expect(await screen.findByText('Planned: Chicken and rice')).toBeInTheDocument()
    await hands.click((await dayCard('Monday')).getByRole('button', { name: 'Skip this day' }))
    expect(server.asked(skipPlanDay)[0]).toMatchObject({
      body: { studentId: chanda.id, date: '2026-09-14', skip: true },
    })
    await hands.click((await dayCard('Tuesday')).getByRole('button', { name: 'Plan this day again' }))
    expect(server.asked(skipPlanDay)[1]).toMatchObject({ body: { date: '2026-09-15', skip: false } })
  })
})
