import type { Page } from 'playwright-core'
import { saveAllergyRule } from '#contracts/health'
import { addStudent } from '#contracts/identity'
import { desk, phone, visit } from '../support/browser'
import { type LunchSchool, dayCard, openLunchSchool, menuShown } from '../support/lunch-school'
import {
  hasFocus,
  press,
  tabTo,
  turnTo,
  typeInto,
  button,
  dialog,
  showsText,
  gone,
  shown,
} from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { daysOfWeek: [1, 3], weekNumbers: [1] },
    'Chicken & Rice': { weekNumbers: [1] },
  })
})
afterAll(() => lunch?.close())

const selectedTab = (page: Page) => page.getByRole('tab', { selected: true })
const showTab = (page: Page, name: string) => turnTo(page, selectedTab(page), page.getByRole('tab', { name }))

/** A parent of two children in the primary school, who came in without a mouse. */
const family = async (username: string, viewport: { width: number; height: number }) => {
  const parent = await lunch.school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
  await parent.call(addStudent, { body: { name: 'Luse', grade: '5' } })
  const visitor = await visit(lunch.browser, lunch.school.url, viewport)
  const { page } = visitor
  await typeInto(page, 'Username', username)
  await typeInto(page, 'Password', 'parent-password')
  await page.keyboard.press('Enter')
  await menuShown(page)
  return visitor
}

/** Takes the first that these fields of a day's meal offer, and adds the meal. */
const addMeal = async (page: Page, day: string, labels: readonly string[]) => {
  const card = dayCard(page, day)
  for (const label of labels) {
    await tabTo(page, card.getByLabel(label))
    await page.keyboard.press('ArrowDown')
  }
  await tabTo(page, card.getByRole('button', { name: 'Add' }))
  await page.keyboard.press('Enter')
  await hasFocus(card.getByRole('button', { name: 'Remove' }))
}

/** Takes two of the three days that are open for one of the children, once the missing side dish is chosen. */
const orderWeek = async (page: Page) => {
  const plan = dialog(page, 'Week 1 for all children')
  const week = plan.getByRole('region', { name: 'Luse' })
  const opener = button(page, 'Order this week')
  await press(page, 'Order this week')
  await shown(plan)
  await page.keyboard.press('Escape')
  await hasFocus(opener)
  await page.keyboard.press('Enter')
  await tabTo(page, plan.getByRole('checkbox', { name: 'Chipo' }))
  await page.keyboard.press('Space')
  await shown(plan.getByText('Still to choose: 1 side dish'))
  await tabTo(page, week.getByLabel('Side dish'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, week.getByRole('checkbox', { name: /Monday/ }), { back: true })
  await page.keyboard.press('Space')
  await press(page, 'Add 2 meals to the cart')
}

const soup = ['Protein']
const chicken = ['Protein', 'Side dish']

test('on a desk with the keyboard alone a parent chooses meals, orders what is free and cancels it again', async () => {
  const { page, faults, close } = await family('free', desk)
  await turnTo(page, page.getByRole('radio', { name: /Chipo/ }), page.getByRole('radio', { name: /Luse/ }))
  await showsText(page, 'Now ordering for Luse')
  await addMeal(page, 'Tuesday 15 September', chicken)
  await page.keyboard.press('Enter')
  await hasFocus(dayCard(page, 'Tuesday 15 September').getByRole('button', { name: 'Add' }))
  await addMeal(page, 'Wednesday 16 September', soup)
  await press(page, 'Go to Cart (1 meal)')
  await showsText(page, 'Total K0.00')
  await tabTo(page, page.getByLabel('Special instructions'))
  await page.keyboard.type('No croutons')
  await press(page, /^Remove Soup/)
  await showsText(page, 'Your cart is empty')
  await press(page, 'Browse the menu')

  await orderWeek(page)
  await press(page, 'Clear Cart')
  await shown(dialog(page, 'Clear the cart?'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Clear Cart'))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog(page, 'Clear the cart?').getByRole('button', { name: 'Clear Cart' }))
  await page.keyboard.press('Enter')
  await showsText(page, 'Your cart is empty')
  await press(page, 'Browse the menu')

  await addMeal(page, 'Wednesday 16 September', soup)
  await press(page, 'Go to Cart (1 meal)')
  await tabTo(page, page.getByLabel('Special instructions'))
  await page.keyboard.type('Warm, please')
  await press(page, 'Place Order · Free')
  await showsText(page, 'Order placed')
  await showTab(page, 'Order History')
  await showsText(page, '“Warm, please”')
  await press(page, /^Cancel Order:/)
  await shown(dialog(page, 'Cancel this order?'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, /^Cancel Order:/))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog(page, 'Cancel this order?').getByRole('button', { name: 'Cancel Order' }))
  await page.keyboard.press('Enter')
  await shown(page.getByRole('tabpanel').getByText('Order cancelled'))
  expect(faults).toEqual([])
  await close()
})

test('on a phone with the keyboard alone a parent pays by card and comes home', async () => {
  const { page, faults, close } = await family('card', phone)
  await addMeal(page, 'Tuesday 15 September', chicken)
  await press(page, 'Go to Cart (1 meal)')
  await press(page, 'Place Order · K38.50')
  await page.waitForURL(/\/sandbox\/pay\?ID=/)
  await press(page, 'Pay ZMW 38.50')
  await shown(page.getByRole('heading', { name: 'Payment Successful' }))
  // The first key stops the way home.
  await press(page, 'Return to Home')
  await showsText(page, 'Order Pending')
  expect(faults).toEqual([])
  await close()
})

test('by night with the keyboard alone a parent says allergies, invites a guardian and orders a meal all the same', async () => {
  await lunch.office.call(saveAllergyRule, { body: { rule: 'warn' } })
  const { page, faults, close } = await family('careful', phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await showTab(page, 'Students')
  const opener = 'Tell the kitchen about allergies and diet: Chipo'
  const health = dialog(page, 'Allergies and diet of Chipo')
  await press(page, opener)
  await shown(health)
  await page.keyboard.press('Escape')
  await hasFocus(button(page, opener))
  await page.keyboard.press('Enter')
  await tabTo(page, health.getByLabel('Allergies', { exact: true }))
  await page.keyboard.press('End')
  await press(page, 'Save')
  await hasFocus(health.getByLabel('Milk'))
  await tabTo(page, health.getByLabel('Eggs'))
  await page.keyboard.press('Space')
  await press(page, 'Save')
  await showsText(page, 'Allergies: Eggs')

  const guardians = dialog(page, 'Guardians of Chipo')
  await press(page, 'Guardians: Chipo')
  await shown(guardians)
  await press(page, 'Send Invitation')
  await hasFocus(guardians.getByLabel('Email address of another guardian'))
  await page.keyboard.type('grandmother@example.com')
  await page.keyboard.press('Enter')
  await press(page, 'Withdraw the invitation of grandmother@example.com')
  await gone(guardians.getByText('grandmother@example.com'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Guardians: Chipo'))

  await showTab(page, 'Menu Calendar')
  const card = dayCard(page, 'Tuesday 15 September')
  await tabTo(page, card.getByLabel('Side dish'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, card.getByRole('button', { name: 'Add' }))
  await page.keyboard.press('Enter')
  const question = dialog(page, 'Order Chicken & Rice all the same?')
  await tabTo(page, question.getByRole('button', { name: 'Choose Another' }))
  await page.keyboard.press('Enter')
  await hasFocus(card.getByRole('button', { name: 'Add' }))
  await page.keyboard.press('Enter')
  await tabTo(page, question.getByRole('button', { name: 'Order It' }))
  await page.keyboard.press('Enter')
  await hasFocus(card.getByRole('button', { name: 'Remove' }))
  expect(faults).toEqual([])
  await close()
})
