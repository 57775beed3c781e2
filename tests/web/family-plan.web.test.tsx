import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { listStudents } from '#contracts/identity'
import { getOrderingRules, listOrders } from '#contracts/ordering'
import { getPaymentBypass, type PaymentBypass } from '#contracts/payments'
import {
  endPlan,
  getPlan,
  orderPlanWeek,
  pausePlan,
  savePlan,
  skipPlanDay,
  type PlanReply,
} from '#contracts/plan'
import { readCart, writeCart } from '../../web/features/cart/cart'
import { type FakeServer, refusal } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press, shownAddress } from './open-portal'
import { mealOn } from './payment-page'
import {
  burger,
  bwalya,
  chanda,
  cycle,
  order,
  orderingRules,
  pizza,
  parent,
  staff,
  stew,
  teacher,
} from './sample-family'

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
    await press(hands, 'Change your plan')
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

  const week = (more: Partial<PlanReply['weeks'][number]> = {}): PlanReply['weeks'][number] => ({
    week: '2026-09-14',
    at: '2026-09-13T15:00:00.000Z',
    state: 'not_paid',
    total: 90,
    credit: 0,
    toPay: 90,
    orders: ['2026-09-14', '2026-09-15'].map((date) => ({
      orderId: null,
      studentId: chanda.id,
      date,
      menuItem: stew.name,
      price: 45,
    })),
    left: [
      {
        studentId: chanda.id,
        date: '2026-09-16',
        code: 'sold_out',
        message: 'This meal is sold out on this day',
      },
    ],
    ...more,
  })

  test('whose letter is followed puts the meals of the week into the cart once, and says which it cannot', async () => {
    server.on(listOrders, [order({ mealDate: '2026-09-15', dayOfWeek: 2 })])
    server.on(getPlan, { ...noPlan, plan, weeks: [week()] })
    const hands = openPortal('/?tab=cart&plan=2026-09-14', parent)
    expect(await screen.findByText('Not put into your cart')).toBeInTheDocument()
    expect(screen.getByText(/^Tuesday 15 September, Chanda: Already ordered/)).toBeInTheDocument()
    expect(readCart(parent.id)).toMatchObject([
      { date: '2026-09-14', studentId: chanda.id, category: 'beef', sideDish: 'rice' },
    ])
    expect(shownAddress()).not.toContain('plan=')
    await press(hands, 'Got it')
    expect(screen.queryByText('Not put into your cart')).not.toBeInTheDocument()
    expect(readCart(parent.id)).toHaveLength(1)
  })

  test('whose letter is followed again leaves the cart as it is', async () => {
    server.on(listOrders, [])
    server.on(getPlan, { ...noPlan, plan, weeks: [week()] })
    writeCart(parent.id, [mealOn(1), mealOn(2)])
    openPortal('/?tab=cart&plan=2026-09-14', parent)
    await waitFor(() => expect(shownAddress()).not.toContain('plan='))
    expect(screen.queryByText('Not put into your cart')).not.toBeInTheDocument()
    expect(readCart(parent.id)).toHaveLength(2)
  })

  test('whose letter is followed after the plan was changed never guesses protein and side', async () => {
    server.on(listOrders, [])
    server.on(getPlan, { ...noPlan, weeks: [week()] })
    openPortal('/?tab=cart&plan=2026-09-14', parent)
    expect(
      await screen.findByText(`Monday 14 September, Chanda: Please choose ${stew.name} on the menu`),
    ).toBeInTheDocument()
    expect(readCart(parent.id)).toEqual([])
  })

  test.each([
    ['2026-08-03', 'No day of this week can be ordered any more'],
    ['2026-09-14', 'Your plan has no meals for this week'],
  ])('of the week %s without meals says so at its link', async (monday, words) => {
    server.on(getPlan, { ...noPlan, plan })
    openPortal(`/?tab=cart&plan=${monday}`, parent)
    expect(await screen.findByText(words)).toBeInTheDocument()
  })

  test('orders its next week by a press, and tells what came of each week', async () => {
    const next = { ...week({ week: '2026-09-21', left: [] }), state: null }
    server.on(getPlan, { ...noPlan, plan, next, weeks: [week()] })
    server.on(orderPlanWeek, {
      ...noPlan,
      plan,
      weeks: [week({ week: '2026-09-21', state: 'waiting' }), week()],
    })
    const hands = openPortal('/?tab=students', parent)
    const [ofNext] = await screen.findAllByRole('button', { name: 'Order now' })
    await hands.click(ofNext!)
    expect(server.asked(orderPlanWeek)[0]).toMatchObject({ body: { week: '2026-09-21' } })
    expect(await screen.findByText('Waiting for your payment')).toBeInTheDocument()
    await hands.click(screen.getByText('Weeks of your plan'))
    const list = within(screen.getByRole('list', { name: 'Weeks of your plan' }))
    expect(list.getByText('Week of Monday 21 September: Planned, 2 meals, K90.00')).toBeInTheDocument()
    expect(list.getByText(/^Week of Monday 14 September: Not paid/)).toHaveTextContent('2 meals, K90.00')
    expect(
      list.getByText('Wednesday 16 September, Chanda: This meal is sold out on this day'),
    ).toBeInTheDocument()
    await hands.click(list.getByRole('button', { name: 'Order now' }))
    expect(server.asked(orderPlanWeek)[1]).toMatchObject({ body: { week: '2026-09-14' } })
  })

  test('that cannot order by a press says why', async () => {
    server.on(getPlan, { ...noPlan, plan, next: { ...week(), state: null } })
    server.on(orderPlanWeek, () =>
      refusal(422, 'validation_failed', 'No day of this week can be ordered any more'),
    )
    const hands = openPortal('/?tab=students', parent)
    await press(hands, 'Order now')
    expect(await screen.findByText('No day of this week can be ordered any more')).toBeInTheDocument()
  })

  test('keeps to a limit for the week, which is an amount', async () => {
    server.on(getPlan, { ...noPlan, plan: { ...plan, weekLimit: 100 } })
    server.on(savePlan, { ...noPlan, plan })
    const hands = openPortal('/?tab=students', parent)
    await press(hands, 'Change your plan')
    const limit = await screen.findByLabelText('At most a week (K)')
    expect(limit).toHaveDisplayValue('100')
    await hands.clear(limit)
    await hands.type(limit, 'much')
    await press(hands, 'Save the plan')
    expect(await screen.findByText('Please enter an amount in kwacha')).toBeInTheDocument()
    expect(server.asked(savePlan)).toHaveLength(0)
    await hands.clear(limit)
    await hands.type(limit, '315,50')
    await press(hands, 'Save the plan')
    expect(await screen.findByText('Your plan is saved')).toBeInTheDocument()
    expect(server.asked(savePlan)[0]).toMatchObject({ body: { weekLimit: 315.5 } })
  })

  test('is set for two children with at most ten presses after the week was chosen', async () => {
    server.on(savePlan, { ...noPlan, plan })
    server.on(listOrders, [])
    const { hands, week: chosen } = await weekChosen()
    let presses = 0
    const pressOn = async (button: HTMLElement) => {
      presses += 1
      await hands.click(button)
    }
    await pressOn(await chosen.findByRole('button', { name: 'Order this every week' }))
    await hands.selectOptions(await chosen.findByLabelText('Order on'), 'Saturday')
    await hands.selectOptions(chosen.getByLabelText('At'), '10:00')
    // Each list is opened and chosen from.
    presses += 4
    await pressOn(chosen.getByRole('radio', { name: /^MTN Money/ }))
    await pressOn(chosen.getByRole('button', { name: 'Save the plan' }))
    expect(await screen.findByText('Your plan is saved')).toBeInTheDocument()
    const { body } = server.asked(savePlan)[0] as unknown as { body: typeof plan }
    expect(body.children.map(({ studentId }) => studentId)).toEqual([chanda.id, bwalya.id])
    expect(presses).toBeLessThanOrEqual(10)
  })

  test('of a teacher is told above the own menu', async () => {
    const own = { ...plan, children: [{ ...plan.children[0]!, studentId: staff.id }] }
    server.on(listStudents, [staff])
    server.on(getPlan, {
      ...noPlan,
      plan: own,
      weeks: [
        week({
          left: [
            {
              studentId: staff.id,
              date: '2026-09-16',
              code: 'skipped',
              message: 'You asked to skip this day',
            },
          ],
        }),
      ],
    })
    const hands = openPortal('/', teacher)
    expect(await screen.findByText(/2 meals a week, ordered on Sunday 17:00/)).toBeInTheDocument()
    await hands.click(screen.getByText('Weeks of your plan'))
    expect(
      screen.getByText(`Wednesday 16 September, ${staff.name}: You asked to skip this day`),
    ).toBeInTheDocument()
  })
})
