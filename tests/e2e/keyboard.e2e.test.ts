import type { Page } from 'playwright-core'
import { saveCommunication } from '#contracts/identity'
import { desk, phone, visit } from '../support/browser'
import { type LunchSchool, openLunchSchool } from '../support/lunch-school'
import {
  hasFocus,
  press,
  turnTo,
  typeInto,
  button,
  dialog,
  field,
  showsText,
  shown,
} from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': {} })
  await lunch.office.call(saveCommunication, {
    body: { supportEmail: 'kitchen@school.example', whatsappNumber: '' },
  })
})
afterAll(() => lunch?.close())

/** The acts in the head of the page; on a phone a menu that the arrow keys walk. */
const pressInHead = async (page: Page, name: string) => {
  if (!(await button(page, 'Open menu').isVisible())) return press(page, name)
  await press(page, 'Open menu')
  await hasFocus(page.getByRole('menu'))
  const acts = await page.getByRole('menuitem').allInnerTexts()
  for (let at = 0; at < acts.indexOf(name); at += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
/** Where the focus is after what `pressInHead` opened: its button, or the one that opens the menu. */
const backInHead = (page: Page, name: string) => hasFocus(button(page, name).or(button(page, 'Open menu')))

const showTab = (page: Page, name: string) =>
  turnTo(page, page.getByRole('tab', { selected: true }), page.getByRole('tab', { name }))

test('on a desk with the keyboard alone somebody registers, asks for a new password and signs in', async () => {
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, desk)
  await press(page, /Create an account/)
  await press(page, 'Create Account', { back: true })
  await hasFocus(field(page, 'First Name'))
  await page.keyboard.type('Thandiwe')
  await typeInto(page, 'Last Name', 'Zulu')
  await typeInto(page, 'Email Address (Optional)', 'thandiwe@example.com')
  await typeInto(page, 'Username', 'thandiwe')
  await typeInto(page, 'Password', 'her-password')
  await page.keyboard.press('Enter')
  await showsText(page, 'Welcome, thandiwe')
  await pressInHead(page, 'Logout')

  await press(page, 'Forgot your password?')
  await shown(dialog(page, 'Reset Password'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Forgot your password?'))
  await page.keyboard.press('Enter')
  await press(page, 'Send Reset Instructions')
  await showsText(page, 'Username or email is required')
  await hasFocus(field(page, 'Username or Email Address'))
  await page.keyboard.type('nobody.of.this.name')
  await page.keyboard.press('Enter')
  await shown(dialog(page, 'Confirm Password Reset'))
  await page.keyboard.press('Escape')
  await hasFocus(field(page, 'Username or Email Address'))
  await press(page, 'Send Reset Instructions')
  await shown(dialog(page, 'Confirm Password Reset'))
  await press(page, 'Yes, Send Reset')
  await showsText(page, 'Password Reset Sent')
  await hasFocus(button(page, 'Forgot your password?'))

  await press(page, 'Login to Portal')
  await hasFocus(field(page, 'Username'))
  await page.keyboard.type('thandiwe')
  await typeInto(page, 'Password', 'her-password')
  await page.keyboard.press('Enter')
  await showsText(page, 'Welcome, thandiwe')
  expect(faults).toEqual([])
  await close()
})

const signedIn = async (username: string) => {
  await lunch.school.parent(username, { name: 'Bwalya Phiri', email: `${username}@example.com` })
  const visitor = await visit(lunch.browser, lunch.school.url, phone)
  const { page } = visitor
  await typeInto(page, 'Username', username)
  await typeInto(page, 'Password', 'parent-password')
  await page.keyboard.press('Enter')
  await showsText(page, `Welcome, ${username}`)
  return visitor
}

test('on a phone with the keyboard alone a parent changes the profile, writes to the tuckshop, reads the terms and becomes a teacher', async () => {
  const { page, faults, close } = await signedIn('bwalya')
  await pressInHead(page, 'View Profile')
  await shown(dialog(page, 'Your profile'))
  await typeInto(page, 'Name', '')
  await page.keyboard.press('Backspace')
  await press(page, 'Save Changes')
  await showsText(page, 'Name is required')
  await hasFocus(field(page, 'Name'))
  await page.keyboard.type('Bwalya Mwansa')
  await page.keyboard.press('Enter')
  await showsText(page, 'Profile updated successfully')
  await backInHead(page, 'View Profile')

  await pressInHead(page, 'Contact')
  await shown(dialog(page, 'Contact the tuckshop'))
  await turnTo(page, page.getByRole('tab', { name: 'By email' }), page.getByRole('tab', { name: 'Chat' }))
  await showsText(page, 'WhatsApp support contact information will be available soon.')
  await page.keyboard.press('ArrowLeft')
  await typeInto(page, 'Message', 'When does the next order cycle start?')
  await press(page, 'Send Message')
  await showsText(page, 'Message sent successfully')
  await backInHead(page, 'Contact')

  await press(page, 'Terms & Conditions')
  await press(page, 'Refund Policy')
  await shown(dialog(page, 'Refund Policy'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Refund Policy'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Terms & Conditions'))

  await pressInHead(page, 'View Profile')
  await press(page, 'Convert to Teacher Account')
  await shown(dialog(page, 'Convert to a teacher account?'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Convert to Teacher Account'))
  await page.keyboard.press('Enter')
  await press(page, 'Convert Account')
  await showsText(page, 'Account Converted')
  await shown(field(page, 'Username'))
  expect(faults).toEqual([])
  await close()
})

test('on a phone with the keyboard alone a parent adds a child with the grade dial, changes and deletes it', async () => {
  const { page, faults, close } = await signedIn('mary')
  await showTab(page, 'Students')
  const opener = button(page, 'Add a child')
  await shown(opener.or(button(page, 'Add Student')))
  if (await opener.isVisible()) await press(page, 'Add a child')
  await press(page, 'Add Student')
  await showsText(page, 'Name is required')
  await hasFocus(field(page, 'Name'))
  await page.keyboard.type('Chipo')
  const grade = (name: string) => page.getByRole('radio', { name: `Grade ${name}`, exact: true })
  await turnTo(page, grade('ELC'), grade('4'), 'ArrowDown')
  await page.keyboard.press('ArrowUp')
  await press(page, 'Add Student')
  await hasFocus(page.getByRole('heading', { name: 'Chipo is added' }))
  await showsText(page, 'Grade 3')

  await press(page, 'Edit Chipo')
  const row = page.getByRole('listitem').filter({ has: button(page, 'Cancel') })
  await hasFocus(row.getByLabel('Name'))
  await press(page, 'Cancel')
  await hasFocus(button(page, 'Edit Chipo'))
  await page.keyboard.press('Enter')
  await hasFocus(row.getByLabel('Name'))
  await page.keyboard.press('End')
  await page.keyboard.type(' Tembo')
  await page.keyboard.press('Enter')
  await hasFocus(button(page, 'Edit Chipo Tembo'))

  await press(page, 'Delete Chipo Tembo')
  await shown(dialog(page, 'Delete Chipo Tembo?'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Delete Chipo Tembo'))
  await page.keyboard.press('Enter')
  await press(page, 'Delete')
  await showsText(page, 'No students yet')
  await hasFocus(page.getByRole('main').locator(':focus'))
  expect(faults).toEqual([])
  await close()
})
