import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { listParents } from '#contracts/accounts'
import { listMenu } from '#contracts/catalogue'
import { saveCutoff } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { csvColumns } from '#contracts/menu-upload'
import { placeOrders } from '#contracts/ordering'
import { uploadPicture } from '#contracts/pictures'
import { desk, parentAccount, phone, signInOn, superadmin, visit } from '../support/browser'
import { eventually } from '../support/eventually'
import { dayCard, openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { button, clickButton, showsText, sizes, gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': { daysOfWeek: [1] }, 'Chicken & Rice': {} })
})
afterAll(() => lunch?.close())

type Size = (typeof sizes)[number][1]

const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

const office = (address: string, viewport: Size = desk) =>
  visit(lunch.browser, lunch.school.url, viewport, { as: superadmin, at: address })
const atHome = async (username: string, viewport: Size = desk) => {
  const as = parentAccount(username)
  const visitor = await visit(lunch.browser, lunch.school.url, viewport, { as })
  await showsText(visitor.page, `Welcome, ${username}`)
  return visitor
}

/** What the server answers to the signed-in person of this page. */
const statusOf = (page: Page, path: string) =>
  page.evaluate((address) => fetch(address).then(({ status }) => status), path)

test.each(sizes)(
  'an administrator added on a %s finds the granted sections alone, and the server refuses the others',
  async (size, viewport) => {
    const { page, faults, close } = await office('/?section=admins', viewport)
    await clickButton(page, /^Create Admin User/)
    await fill(page, 'Username', `cook.${size}`)
    await fill(page, 'Password', 'cook-password')
    for (const feature of ['Kitchen View', 'Cycle History'])
      await page.getByLabel(feature, { exact: true }).check()
    await clickButton(page, 'Create Admin')
    await showsText(page, 'Admin user created successfully')
    await showsText(page, `cook.${size}`)
    await close()

    const cook = await visit(lunch.browser, lunch.school.url, viewport)
    await signInOn(cook.page, `cook.${size}`, 'cook-password')
    await showsText(cook.page, 'No orders for today')
    if (size === 'phone') await clickButton(cook.page, 'Open menu')
    const links = cook.page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    await shown(links)
    expect(await links.locator('visible=true').allInnerTexts()).toEqual([
      'Today',
      'Kitchen View',
      'Cycle History',
    ])
    await cook.page.goto('/?section=parents_students')
    await shown(cook.page.getByRole('heading', { level: 1, name: 'Kitchen View' }))
    await cook.page.goto('/settings')
    await showsText(cook.page, 'Settings is not open to you')
    const asked = [
      '/api/orders/today',
      '/api/cycle-orders',
      '/api/parents',
      '/api/discount-codes',
      '/api/admin-users',
    ]
    expect(await Promise.all(asked.map((path) => statusOf(cook.page, path)))).toEqual([
      200, 200, 403, 403, 403,
    ])
    expect([...faults, ...cook.faults]).toEqual([])
    await cook.close()
  },
)

test.each(sizes)(
  'on a %s a parent is added, changed, and deleted with orders only after their number is told',
  async (size, viewport) => {
    const { page, faults, close } = await office('/?section=parents_students', viewport)
    await clickButton(page, 'Add Parent')
    await fill(page, 'Username', `grace.${size}`)
    await fill(page, 'Password', 'parent-password')
    await fill(page, 'Name', 'Grace Phiri')
    await clickButton(page, 'Create Parent')
    await showsText(page, 'Parent created successfully')
    await clickButton(page, `Edit grace.${size}`)
    await fill(page, 'Name', `Grace Mwansa ${size}`)
    await clickButton(page, 'Save Parent')
    await showsText(page, 'Parent updated successfully')
    await showsText(page, `Grace Mwansa ${size}`)

    const grace = await lunch.school.signIn(`grace.${size}`, 'parent-password')
    const { id: studentId } = await grace.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
    const line = {
      menuItemId: lunch.items['Soup & Bread']!.id,
      studentId,
      category: 'vegetarian',
      originalPrice: 0,
    }
    await grace.call(placeOrders, {
      body: [1, 2].map((weekNumber) => ({ ...line, weekNumber, dayOfWeek: 1 })),
    })
    await clickButton(page, `Delete grace.${size}`)
    await confirm(page, 'Delete Parent')
    await shown(page.getByRole('heading', { name: /has 2 orders/ }))
    await page.keyboard.press('Escape')
    await gone(page.getByRole('heading', { name: /has 2 orders/ }))
    expect((await lunch.office.call(listParents, { query: { search: `grace.${size}` } })).data).toHaveLength(
      1,
    )
    await clickButton(page, `Delete grace.${size}`)
    await confirm(page, 'Delete Parent')
    await shown(page.getByRole('heading', { name: /has 2 orders/ }))
    await confirm(page, 'Force Delete')
    await showsText(page, 'Parent deleted successfully')
    await gone(page.getByText(`Grace Mwansa ${size}`))
    expect((await lunch.office.call(listParents, { query: { search: `grace.${size}` } })).data).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test('a discount code made by the office is on the price that its parent pays', async () => {
  const parent = await lunch.school.parent('bursary', { email: 'bursary@example.com' })
  await parent.call(addStudent, { body: { name: 'Luse', grade: '2' } })
  const { page, faults, close } = await office('/?section=settings')
  await fill(page, 'Code', 'BURSARY-1')
  await page.getByRole('combobox', { name: 'User' }).fill('bursa')
  await page.getByRole('option', { name: 'bursary' }).click()
  await fill(page, 'Discount (%)', '100')
  await clickButton(page, 'Create Discount Code')
  await showsText(page, 'Discount code created successfully')
  await showsText(page, 'BURSARY-1')

  const home = await atHome('bursary', phone)
  const discount = home.page.getByText('BURSARY-1: 100% off')
  await eventually(async () => (await discount.count()) === 1)
  // The notification of the sign-in may lie over it for a moment.
  await button(home.page, 'Open menu').press('Enter')
  await shown(discount)
  await clickButton(home.page, 'Close menu')
  const card = dayCard(home.page, 'Tuesday 15 September')
  await card.getByLabel('Protein').selectOption('chicken')
  await card.getByLabel('Side dish').selectOption('Coleslaw')
  await card.getByRole('button', { name: 'Add' }).click()
  await clickButton(home.page, 'Go to Cart (1 meal)')
  await shown(home.page.getByText('K38.50'))
  await clickButton(home.page, 'Place Order · Free')
  await showsText(home.page, 'Order placed')

  await page.goto('/?section=history')
  await showsText(page, 'Luse')
  await shown(page.getByText('K0.00'))
  expect([...faults, ...home.faults]).toEqual([])
  await home.close()
  await close()
})

test('a cutoff made earlier by the office closes the day on a parent who is looking at it', async () => {
  const parent = await lunch.school.parent('early')
  await parent.call(addStudent, { body: { name: 'Wezi', grade: '2' } })
  const home = await atHome('early', phone)
  const today = dayCard(home.page, 'Monday 14 September')
  await shown(today.getByRole('button', { name: 'Add' }))
  const { page, faults, close } = await office('/settings?tab=order-settings')
  await fill(page, 'Hour', '5')
  await fill(page, 'Minute', '30')
  await showsText(page, /From 05:30 on/)
  await clickButton(page, 'Save Cutoff Time')
  await showsText(page, /Meals of Monday 14 September close now/)
  await clickButton(page, 'Save and Close Them')
  await showsText(page, 'Cutoff time settings saved successfully')
  await home.page.reload()
  await shown(dayCard(home.page, 'Tuesday 15 September').getByRole('button', { name: 'Add' }))
  await gone(today.getByRole('button', { name: 'Add' }))
  await lunch.office.call(saveCutoff, { body: { hour: 8, minute: 0 } })
  expect([...faults, ...home.faults]).toEqual([])
  await home.close()
  await close()
})

const row = (name: string, price: string) =>
  `${name},With greens,${price},secondary,beef,,"1,2",3,none,"Rape,Cabbage",true,halal:yes,,`
const csv = (...rows: string[]) => ({
  name: 'menu.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([csvColumns.join(','), ...rows].join('\r\n')),
})

test('a menu uploaded with a wrong row tells which, and uploaded again with it mended doubles nothing', async () => {
  const { page, faults, close } = await office('/?section=menu')
  await clickButton(page, 'Bulk Upload')
  await clickButton(page, 'Upload')
  await showsText(page, 'Please select a CSV file')
  await page.getByLabel('CSV file').setInputFiles(csv(row('Kapenta', '30.00'), row('Oxtail', '-5')))
  await clickButton(page, 'Upload')
  await showsText(page, '1 saved')
  await showsText(page, '1 with errors')
  await showsText(page, /^Row 3, price: Price must be a valid positive number/)
  await page.getByLabel('CSV file').setInputFiles(csv(row('Kapenta', '30.00'), row('Oxtail', '55.00')))
  await clickButton(page, 'Upload')
  await showsText(page, '0 with errors')
  await shown(page.getByRole('row').filter({ hasText: 'Oxtail' }).getByText('K55.00'))
  const named = (await lunch.office.call(listMenu)).map(({ name }) => name)
  expect(named.filter((name) => ['Kapenta', 'Oxtail'].includes(name)).toSorted()).toEqual([
    'Kapenta',
    'Oxtail',
  ])
  expect(faults).toEqual([])
  await close()
})

test('a large photo of a dish is made smaller before it is sent, a small one goes as it is', async () => {
  const { page, faults, close } = await office('/?section=menu')
  await clickButton(page, 'Add New Menu Item')
  await shown(button(page, 'Choose Picture'))
  const sentFor = async (width: number, height: number) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
    const buffer = await sharp({ create: { width, height, channels: 3, background: 'white', noise } })
      .jpeg()
      .toBuffer()
    const sending = page.waitForRequest((request) => request.url().endsWith(uploadPicture.path))
    await page.locator('input[type=file]').setInputFiles({ name: 'dish.jpg', mimeType: 'image/jpeg', buffer })
    const request = await sending
    expect((await request.response())?.status()).toBe(201)
    return { bytes: buffer.length, sent: Number((await request.allHeaders())['content-length']) }
  }
  const photo = await sentFor(4000, 3000)
  expect(photo.bytes).toBeGreaterThan(2_000_000)
  expect(photo.sent).toBeGreaterThan(100_000)
  expect(photo.sent).toBeLessThan(photo.bytes / 2)
  const small = await sentFor(800, 600)
  expect(small.sent).toBeGreaterThan(small.bytes)
  expect(faults).toEqual([])
  await close()
})

test('Back asks before unsaved settings are left, and goes where it would have gone', async () => {
  const { page, faults, close } = await office('/?section=history')
  await shown(page.getByRole('tab', { name: 'Books' }))
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Communication' }).click()
  const number = page.getByLabel('WhatsApp number')
  await number.fill('+260 97 1234567')
  await page.goBack()
  await clickButton(page, 'Stay Here')
  await gone(page.getByRole('dialog'))
  expect(await number.inputValue()).toBe('+260 97 1234567')
  await page.goBack()
  await clickButton(page, 'Leave Without Saving')
  await shown(page.getByRole('tab', { name: 'Books' }))
  expect(new URL(page.url()).search).toBe('?section=history')

  await page.goto('/settings?tab=communication')
  await number.fill('+260 97 7654321')
  await clickButton(page, 'Save Communication Settings')
  await showsText(page, 'Communication settings saved successfully')
  await page.getByRole('link', { name: 'Cycle History' }).click()
  await shown(page.getByRole('tab', { name: 'Books' }))
  await page.goBack()
  expect(await number.inputValue()).toBe('+260 97 7654321')
  await number.fill('1')
  await page.getByRole('tab', { name: 'Messages' }).click()
  await clickButton(page, 'Leave Without Saving')
  await shown(page.getByRole('button', { name: 'Save Message Settings' }))
  expect(new URL(page.url()).search).toBe('?tab=messages')
  expect(faults).toEqual([])
  await close()
})
