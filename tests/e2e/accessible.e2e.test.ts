import type { Page } from 'playwright-core'
import { addStudent, convertToTeacher, forgotPassword, saveCommunication } from '#contracts/identity'
import { axeWalk } from '../support/axe'
import { desk, parentAccount, phone, signInOn, visit } from '../support/browser'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { mailTo } from '../support/mails'
import { button, clickButton, dialog, showsText, tab, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Nshima & Village Chicken': {} })
  await lunch.office.call(saveCommunication, {
    body: { supportEmail: 'office@example.com', whatsappNumber: '' },
  })
})
afterAll(() => lunch?.close())

const showTab = (page: Page, name: string) => tab(page, name).click()

/** Keeps a notification on the screen: it stays as long as the focus is on it. */
const holdNotification = async (page: Page, title: string) => {
  await showsText(page, title)
  await button(page, 'Dismiss').focus()
}

const open = async (as?: ReturnType<typeof parentAccount>) => {
  const visitor = await visit(lunch.browser, lunch.school.url, desk, { as })
  return { ...visitor, ...axeWalk(visitor.page, { phone, desk }) }
}

const signedIn = async (username: string) => {
  const visitor = await open(parentAccount(username))
  await showsText(visitor.page, `Welcome, ${username}`)
  return visitor
}

test('axe finds nothing on the way in', async () => {
  const { page, look, found, close } = await open()
  await shown(button(page, 'Login to Portal'))
  await look('login')
  await clickButton(page, 'Login to Portal')
  await showsText(page, 'Password is required')
  await look('login with errors')
  await signInOn(page, 'nobody', 'wrong-password')
  await holdNotification(page, 'Error')
  await look('login with a notification of failure')
  await clickButton(page, 'Forgot your password?')
  await shown(dialog(page, 'Reset Password'))
  await look('reset dialog')
  await clickButton(page, 'Send Reset Instructions')
  await showsText(page, 'Username or email is required')
  await look('reset dialog with an error')
  await page.getByLabel('Username or Email Address').fill('nobody')
  await clickButton(page, 'Send Reset Instructions')
  await shown(dialog(page, 'Confirm Password Reset'))
  await look('confirm dialog')
  await clickButton(page, 'Yes, Send Reset')
  await holdNotification(page, 'Password Reset Sent')
  await look('login with a notification of success')
  await clickButton(page, /Create an account/)
  await clickButton(page, 'Create Account')
  await showsText(page, 'Last name is required')
  await look('create account with errors')
  await page.goto('/payment/success?TransID=1')
  await showsText(page, 'Your payment is being checked')
  await look('payment page of somebody signed out')
  await page.goto('/stop/1a.notofthisschool0')
  await clickButton(page, 'Stop Reminders')
  await showsText(page, 'Reminders are not stopped')
  await look('link of a reminder that is not good')
  await page.goto('/debug-login')
  await page.getByLabel('Username').fill('nobody')
  await clickButton(page, 'Submit')
  await showsText(page, /Status: 4/)
  await look('login debug')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing where a new password is demanded', async () => {
  const email = `forgetful@example.com`
  const parent = await lunch.school.parent(`forgetful`, { email })
  await parent.call(forgotPassword, { body: { identifier: email } })
  const { text } = await mailTo(lunch.school, email, 'temporary password')
  const { page, look, found, close } = await open()
  await signInOn(page, `forgetful`, /Temporary password: (\S+)/.exec(text)![1]!)
  await clickButton(page, 'Change Password')
  await showsText(page, /^Password must/)
  await look('new password demanded')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing on the home of a new parent', async () => {
  await lunch.school.parent(`new`, { email: `new@example.com` })
  const { page, look, found, close } = await signedIn(`new`)
  await showsText(page, 'Add your first child')
  await look('home without a child')
  await showTab(page, 'Cart')
  await showsText(page, 'Your cart is empty')
  await look('empty cart')
  await showTab(page, 'Students')
  await showsText(page, 'No students yet')
  await clickButton(page, 'Add Student')
  await showsText(page, 'Please select a grade')
  await look('no students, with errors')
  await showTab(page, 'Order History')
  await showsText(page, 'No orders yet')
  await look('empty history')
  await page.context().setOffline(true)
  await showsText(page, /^No connection/)
  await look('lost connection')
  await page.context().setOffline(false)

  await clickButton(page, 'Contact')
  await shown(dialog(page, 'Contact the tuckshop'))
  await clickButton(page, 'Send Message')
  await showsText(page, 'Message must be at least 10 characters long')
  await look('contact by email with an error')
  await showTab(page, 'Chat')
  await showsText(page, /WhatsApp support/)
  await look('contact by chat')
  await page.keyboard.press('Escape')
  await clickButton(page, 'View Profile')
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByLabel('New Password', { exact: true }).fill('another-password')
  await clickButton(page, 'Save Changes')
  await showsText(page, 'Name is required')
  await look('profile with errors')
  await clickButton(page, 'Convert to Teacher Account')
  await shown(dialog(page, 'Convert to a teacher account?'))
  await look('conversion dialog')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await clickButton(page, 'Terms & Conditions')
  await shown(dialog(page, 'Terms & Conditions'))
  await look('terms')
  await clickButton(page, 'Refund Policy')
  await shown(dialog(page, 'Refund Policy'))
  await look('refund policy')

  await page.goto('/nowhere')
  await showsText(page, '404 Page Not Found')
  await look('404')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing on the home of a teacher', async () => {
  const teacher = await lunch.school.parent(`teacher`, { email: `teacher@example.com` })
  await teacher.call(addStudent, { body: { name: 'Own child', grade: '2' } })
  await teacher.call(convertToTeacher)
  const { page, look, found, close } = await signedIn(`teacher`)
  await showsText(page, 'Nshima & Village Chicken')
  await look('menu')
  await button(page, /^Add /).first().click()
  await clickButton(page, 'Go to Cart (1 meal)')
  await showsText(page, 'Total K48.00')
  await look('cart')
  await page.goto('/?tab=orders')
  await showsText(page, 'No orders yet')
  await look('history')
  await page.goto('/nowhere')
  await showsText(page, '404 Page Not Found')
  await look('404')
  expect(found).toEqual([])
  await close()
})
