import { addStudent, createAdmin, featureNames } from '#contracts/identity'
import { axeWalk } from '../support/axe'
import { desk, phone, superadmin, visit } from '../support/browser'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Nshima & Village Chicken': {} })
  const parent = await lunch.school.parent('mwila.banda', { email: 'mwila@example.com' })
  await parent.call(addStudent, { body: { name: 'Chipo Banda', grade: '9' } })
  await lunch.office.call(createAdmin, {
    body: { username: 'cook', password: 'cook-password', allowedFeatures: ['kitchen'] },
  })
})
afterAll(() => lunch?.close())

const open = async () => {
  const visitor = await visit(lunch.browser, lunch.school.url, desk, { as: superadmin })
  await shown(visitor.page.getByText('Current Menu Items'))
  const { page } = visitor
  return {
    ...visitor,
    ...axeWalk(page, { phone: { ...phone, colorScheme: 'dark' }, desk }),
    press: (name: string | RegExp) =>
      page.getByRole('button', { name }).locator('visible=true').first().click(),
    told: (words: string | RegExp) => shown(page.getByText(words)),
  }
}

test('axe finds nothing on any section of the console', async () => {
  const { page, look, found, faults, close } = await open()
  for (const section of featureNames) {
    await page.goto(`/?section=${section}`)
    await shown(page.locator('main :is(h2, h3, table, form, label, p)'))
    await gone(page.locator('main output'))
    await look(section)
  }
  for (const tab of ['order-settings', 'payment-settings', 'communication', 'messages']) {
    await page.goto(`/settings?tab=${tab}`)
    await shown(page.getByRole('button', { name: /^Save/ }))
    await look(tab)
  }
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('axe finds nothing in the forms of a menu item', async () => {
  const { page, look, found, faults, press, told, close } = await open()
  await press('Add New Menu Item')
  await told('When it is offered')
  await look('new item')
  await page.getByRole('link', { name: /^Edit/ }).first().click()
  await told('When it is offered')
  await look('edit item')
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('axe finds nothing in the forms and questions of administrators, parents and codes', async () => {
  const { page, look, found, faults, press, told, close } = await open()
  await page.goto('/?section=admins')
  await press(/^Create Admin User/)
  await press(/^Create Admin$/)
  await told('Username must be at least 3 characters')
  await press(/^cook/)
  await look('administrators, all open')
  await press('Change Password of cook')
  await shown(page.getByRole('dialog', { name: 'Change Password' }))
  await look('change password')

  await page.goto('/?section=parents_students')
  await press(/^mwila/i)
  await told('Chipo Banda')
  await look('a family')
  await press('Edit mwila.banda')
  await shown(page.getByRole('dialog', { name: 'Edit Parent' }))
  await look('edit parent')
  await press('Cancel')
  await press('Delete mwila.banda')
  await shown(page.getByRole('dialog'))
  await look('delete parent')

  await page.goto('/?section=settings')
  await page.getByRole('combobox', { name: 'User' }).fill('mw')
  await page.getByRole('option', { name: 'mwila.banda' }).click()
  await page.getByLabel('Code', { exact: true }).fill('WELCOME')
  await press('Create Discount Code')
  await told('Discount code created successfully')
  await press('Delete WELCOME')
  await shown(page.getByRole('dialog'))
  await look('delete a code')
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('axe finds nothing in the roll and while a list is imported from a file, letters and undoing among it', async () => {
  const { page, look, found, faults, press, told, close } = await open()
  await page.goto('/?section=parents_students&tab=roll')
  await press('Edit Chipo Banda')
  await shown(page.getByRole('dialog', { name: 'Edit Chipo Banda' }))
  await look('edit a child')
  await page.keyboard.press('Escape')
  await press('More for Chipo Banda')
  await press(/^Join with another entry/)
  await told('No results found')
  await look('join entries')
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Import' }).click()
  await told(/CSV UTF-8/)
  await look('choose a list')
  const list = [
    'Adm. No.;Learner;Grade;Class;Guardian',
    'A-1;Luse Zulu;2;2A;Mrs Zulu',
    'A-2;Chipo Banda;9;9C;Mr Banda',
    'A-3;Taonga Mwale;13;;',
  ]
  const buffer = Buffer.from(list.join('\n'))
  await page.getByLabel('CSV file').setInputFiles({ name: 'roll.csv', mimeType: 'text/csv', buffer })
  await press('Check File')
  await told('13 is not a grade: write ELC, K or 1 to 12')
  await page.getByLabel(/^Which child is row 3/).selectOption({ index: 1 })
  await told('1 of 1 decided')
  await look('the preview of a list')
  await press('Apply List')
  await told('1 family has a claim code now.')
  await press('Print Letters')
  await told('Mrs Zulu')
  await look('letters')
  await press('Close')
  await press('Yes, Close')
  await press('Undo Import')
  await shown(page.getByRole('dialog', { name: 'Undo the last import?' }))
  await look('undo an import')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo Import' }).click()
  await told('Import undone: 2 children as before')
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})
