import type { Page } from 'playwright-core'
import { currentUser, saveCommunication } from '#contracts/identity'
import { signInOn, visit } from '../support/browser'
import { type LunchSchool, openLunchSchool } from '../support/lunch-school'
import { mailTo } from '../support/mails'
import { clickButton, clickInHead, field, showsText, sizes, gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({})
})
afterAll(() => lunch?.close())

type Size = { width: number; height: number }

const signIn = async (page: Page, username: string, password = 'parent-password') => {
  await shown(field(page, 'Username'))
  await signInOn(page, username, password)
}

/** A parent with an email address, signed in. */
const parentOn = async (username: string, viewport: Size) => {
  const parent = await lunch.school.parent(username, { name: 'Bwalya', email: `${username}@example.com` })
  const visitor = await visit(lunch.browser, lunch.school.url, viewport)
  await signIn(visitor.page, username)
  await showsText(visitor.page, `Welcome, ${username}`)
  return { ...visitor, parent }
}

test.each(sizes)('a parent on a %s changes the profile and the password', async (size, viewport) => {
  const { page, parent, faults, close } = await parentOn(`profile.${size}`, viewport)
  await clickInHead(page, 'View Profile')
  await field(page, 'Email (Optional)').fill('not-an-address')
  await field(page, 'New Password').fill('another-password')
  await field(page, 'Confirm New Password').fill('another-password')
  await clickButton(page, 'Save Changes')
  await showsText(page, 'Invalid email address')
  await field(page, 'Email (Optional)').fill(`new.${size}@example.com`)
  await clickButton(page, 'Save Changes')
  await showsText(page, "Password confirmation doesn't match or current password is required")
  await field(page, 'Phone (Optional)').fill('+260 97 7654321')
  await field(page, 'Name').fill('Bwalya Mwansa')
  await field(page, 'Current Password').fill('parent-password')
  await clickButton(page, 'Save Changes')
  await showsText(page, 'Profile updated successfully')
  expect(await parent.fetch('/api/user')).toMatchObject({ status: 401 })

  await clickInHead(page, 'Logout')
  await signIn(page, `profile.${size}`)
  await showsText(page, 'Error')
  await signIn(page, `profile.${size}`, 'another-password')
  await clickInHead(page, 'View Profile')
  await shown(field(page, 'Name'))
  expect(await field(page, 'Name').inputValue()).toBe('Bwalya Mwansa')
  expect(await field(page, 'Email (Optional)').inputValue()).toBe(`new.${size}@example.com`)
  expect(await field(page, 'Phone (Optional)').inputValue()).toBe('+260 97 7654321')
  expect(await field(page, 'New Password').inputValue()).toBe('')
  expect(faults).toEqual([])
  await close()
})

test.each(sizes)(
  'a parent on a %s writes to the tuckshop, which gets the mail and may answer it',
  async (size, viewport) => {
    const supportEmail = `kitchen.${size}@school.example`
    await lunch.office.call(saveCommunication, { body: { supportEmail, whatsappNumber: '+260 97 1112223' } })
    const { page, faults, close } = await parentOn(`writer.${size}`, viewport)
    await clickInHead(page, 'Contact')
    await shown(field(page, 'Message'))
    expect(await field(page, 'Name').inputValue()).toBe('Bwalya')
    await field(page, 'Message').fill('Too short')
    await clickButton(page, 'Send Message')
    await showsText(page, 'Message must be at least 10 characters long')
    await field(page, 'Message').fill('When does the next order cycle start?')
    await clickButton(page, 'Send Message')
    await showsText(page, 'We will get back to you soon!')
    await gone(page.getByRole('dialog'))
    const mail = await mailTo(lunch.school, supportEmail, 'Message from Bwalya')
    expect(mail.text).toContain('When does the next order cycle start?')
    expect(mail.text).toContain(`username writer.${size}`)
    expect(mail.source).toContain(`Reply-To: writer.${size}@example.com`)

    await clickInHead(page, 'Contact')
    await page.getByRole('tab', { name: 'Chat' }).click()
    const chat = page.getByRole('link', { name: 'Chat on WhatsApp' })
    await shown(chat)
    const address = new URL((await chat.getAttribute('href'))!)
    expect(`${address.origin}${address.pathname}`).toBe('https://wa.me/260971112223')
    expect(address.searchParams.get('text')).toContain(`writer.${size}`)
    expect(faults).toEqual([])
    await close()
  },
)

test.each(sizes)(
  'a parent on a %s who forgot the password comes in with the mailed one and must choose a new one',
  async (size, viewport) => {
    const username = `forgetful.${size}`
    await lunch.school.parent(username, { email: `${username}@example.com` })
    const { page, faults, close } = await visit(lunch.browser, lunch.school.url, viewport)
    await clickButton(page, 'Forgot your password?')
    await field(page, 'Username or Email Address').fill(`${username}@example.com`)
    await clickButton(page, 'Send Reset Instructions')
    await showsText(page, 'Your current password stays active until you log in with the temporary one.')
    await clickButton(page, 'Yes, Send Reset')
    await showsText(page, 'Password Reset Sent')
    await gone(page.getByRole('dialog'))
    const mail = await mailTo(lunch.school, `${username}@example.com`, 'temporary password')
    const temporary = /Temporary password: (\S+)/.exec(mail.text)![1]!

    await signIn(page, username, temporary)
    await showsText(page, 'Choose a new password')
    await page.goto('/?tab=cart')
    await showsText(page, 'Choose a new password')
    await field(page, 'New password').fill('her-own-password')
    await field(page, 'New password again').fill('her-own-passwort')
    await clickButton(page, 'Change Password')
    await showsText(page, "Password confirmation doesn't match or current password is required")
    await field(page, 'New password again').fill('her-own-password')
    await clickButton(page, 'Change Password')
    await showsText(page, `Welcome, ${username}`)
    for (const gone of [temporary, 'parent-password'])
      await expect(lunch.school.signIn(username, gone)).rejects.toMatchObject({ status: 401 })
    await lunch.school.signIn(username, 'her-own-password')
    expect(faults).toEqual([])
    await close()
  },
)

test.each(sizes)(
  'a parent on a %s follows the link that proves the email address',
  async (size, viewport) => {
    const { page, parent, faults, close } = await parentOn(`verified.${size}`, viewport)
    const mail = await mailTo(lunch.school, `verified.${size}@example.com`, 'confirm your email address')
    const { pathname, search } = new URL(/https?:\S+/.exec(mail.text)![0])
    expect((await parent.call(currentUser)).emailVerified).toBe(false)
    await page.goto(`${pathname}${search}`)
    await showsText(page, `Its email address is verified.${size}@example.com`)
    expect((await parent.call(currentUser)).emailVerified).toBe(false)
    await clickButton(page, 'Confirm Email Address')
    await showsText(page, 'Email Verified Successfully')
    await showsText(page, 'Your email address has been confirmed. You can now access all features.')
    await page.waitForURL((url) => url.pathname === '/' && url.search === '')
    expect((await parent.call(currentUser)).emailVerified).toBe(true)

    await page.goto(`${pathname}${search.slice(0, -1)}`)
    await clickButton(page, 'Confirm Email Address')
    await showsText(page, 'Email Verification Failed')
    await showsText(page, 'This link is not complete. Please open it from the email itself.')
    await page.waitForURL((url) => url.pathname === '/' && url.search === '')
    expect(faults).toEqual([])
    await close()
  },
)
