import type { Page } from 'playwright-core'
import { acceptGuardianInvite, inviteGuardian } from '#contracts/accounts'
import { closeDays } from '#contracts/closures'
import { giveCredit } from '#contracts/credit'
import { listCycles } from '#contracts/cycles'
import { getHealth, saveHealth } from '#contracts/health'
import { addStudent } from '#contracts/identity'
import { placeOrders, saveOrderingRules, setAbsence, getOrderingRules } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { airtelAndBank } from '../payments/alternative-canteen'
import { parentAccount, phone, visit } from '../support/browser'
import { box, widthOf } from '../support/first-screen'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { shown } from '../support/on-page'
import { superadminPassword } from '../support/school'

let lunch: LunchSchool
beforeAll(async () => {
  const daily = { daysOfWeek: [1, 2, 3, 4, 5], weekNumbers: [1, 2, 3, 4] }
  lunch = await openLunchSchool({ 'Soup & Bread': daily, 'Chicken & Rice': daily })
})
afterAll(() => lunch?.close())

/** What of the week a phone does not show above the bar at its foot, without scrolling. */
const hiddenOf = async (page: Page): Promise<string[]> => {
  const week = page.getByRole('region', { name: / week · | Week \d · /i })
  await shown(week)
  const bar = page.locator('.order-bar, .tabs-foot').first()
  const { y: end } = await box(bar)
  const lines = week
    .getByRole('listitem')
    .filter({ hasText: /September, / })
    .getByRole('listitem')
  expect(await lines.count()).toBe(10)
  const hidden: string[] = []
  for (const target of [week.getByRole('heading'), ...(await lines.all())]) {
    const { y, height } = await box(target)
    if (y < 0 || y + height > end) hidden.push(`${await target.innerText()}: ${y + height} > ${end}`)
  }
  return hidden
}

test('on a phone the week of two children stands whole on the first screen, whatever its state', async () => {
  const { school, office, items } = lunch
  const parent = await school.parent('two.of.them', { email: 'two.of.them@example.com' })
  const small = await parent.call(addStudent, { body: { name: 'Luyando Zulu', grade: '3' } })
  const big = await parent.call(addStudent, { body: { name: 'Thabo Zulu', grade: '4' } })
  const lineOf = (studentId: number, dish: string, dayOfWeek: number, weekNumber = 1) => ({
    menuItemId: items[dish]!.id,
    studentId,
    weekNumber,
    dayOfWeek,
    category: items[dish]!.categories[0]!,
    sideDish: items[dish]!.sideDishes[0] ?? null,
    originalPrice: Number(items[dish]!.price),
  })
  const soup = (studentId: number, day: number, week?: number) => lineOf(studentId, 'Soup & Bread', day, week)
  const { page, faults, close } = await visit(lunch.browser, school.url, phone, {
    as: parentAccount('two.of.them'),
  })
  const isWhole = async (state: string, words: RegExp) => {
    await page.goto('/')
    await shown(page.getByText(words).first())
    expect([state, await hiddenOf(page)]).toEqual([state, []])
  }
  await parent.call(placeOrders, { body: [soup(small.id, 1, 2)] })
  await isWhole('nothing ordered', /\d to choose/)

  const { orders } = await parent.call(placeOrders, {
    body: [soup(small.id, 1), soup(small.id, 2), soup(big.id, 1), soup(big.id, 2)],
  })
  await isWhole('ordered', /Free/)

  const [cycle] = await office.call(listCycles)
  await office.call(closeDays, {
    params: { id: cycle!.id },
    body: { dates: ['2026-09-17'], reason: 'Grade 3 trip', remedy: 'credit', grades: ['3'] },
  })
  await isWhole('closed for one', /Grade 3 trip/)

  await office.call(savePaymentBypass, { body: { ...airtelAndBank, currentPassword: superadminPassword } })
  await parent.call(placeOrders, { body: [lineOf(big.id, 'Chicken & Rice', 3)] })
  await isWhole('unpaid', /^K38\.50 to pay/)

  const params = { id: small.id }
  const health = await parent.call(getHealth, { params })
  await parent.call(saveHealth, { params, body: { ...health, allergies: ['Milk'] } })
  await isWhole('unpaid, and an allergy to look at', /meals? needs? a look/)

  await office.call(giveCredit, { params: { id: small.parentId }, body: { amount: 20, reason: 'A gift' } })
  await isWhole('unpaid, with credit', /^K38\.50 to pay/)

  const aunt = await school.parent('the.aunt', { name: 'Natasha Zulu' })
  const invitation = { params: { id: small.id }, body: { studentIds: [big.id] } }
  const { code } = await parent.call(inviteGuardian, invitation)
  await aunt.call(acceptGuardianInvite, { params: { idOrCode: code } })
  await aunt.call(placeOrders, { body: [lineOf(small.id, 'Chicken & Rice', 3)] })
  await isWhole('unpaid by the second guardian', /^Ordered by/)

  const rules = await office.call(getOrderingRules)
  await office.call(saveOrderingRules, { body: { ...rules, absence: 'credit' } })
  school.setClock('2026-09-14T09:00:00+02:00')
  await parent.call(setAbsence, { params: { id: orders[0]!.id } })
  await isWhole('ill, after the cutoff', /^Ill today$/)

  school.setClock('2026-09-22T05:00:00+02:00')
  await page.context().request.post('/api/login', { data: parentAccount('two.of.them') })
  await page.goto('/')
  await shown(page.getByRole('button', { name: 'Show days' }))
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  expect(['with a folded week at 200 %', await widthOf(page)]).toEqual([
    'with a folded week at 200 %',
    phone.width,
  ])

  school.setClock('2026-10-12T09:00:00+02:00')
  await page.context().request.post('/api/login', { data: parentAccount('two.of.them') })
  await page.goto('/')
  await shown(page.getByText('No lunches to order until the next calendar'))
  expect(await page.getByRole('region', { name: 'Your order' }).count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})
