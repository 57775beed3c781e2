import { screen } from '@testing-library/react'
import { getCutoff } from '#contracts/cycles'
import {
  foundAllergens,
  getAllergens,
  getAllergyRule,
  saveAllergens,
  saveAllergyRule,
  standardAllergens,
} from '#contracts/health'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0 })
  server.on(getAllergyRule, { rule: 'block' })
  server.on(getAllergens, { allergens: [...standardAllergens, 'Kiwi'] })
  server.on(foundAllergens, { found: [] })
})
afterEach(forgetToasts)

const open = () => openConsole('/settings?tab=order-settings', adminWith('settings'))

test('the rule for meals with an allergen of the child is chosen', async () => {
  server.on(saveAllergyRule, { rule: 'warn' })
  const hands = open()
  const rule = await screen.findByLabelText('A meal with an allergen of the child')
  expect(rule).toHaveDisplayValue('Cannot be ordered')
  await hands.selectOptions(rule, 'Can be ordered after a warning')
  await hands.click(screen.getByRole('button', { name: 'Save Allergy Rule' }))
  expect(await screen.findByText('Allergy rule saved successfully')).toBeInTheDocument()
  expect(server.asked(saveAllergyRule).map(({ body }) => body)).toEqual([{ rule: 'warn' }])
})

test("the school's own allergens are edited one a line; those of every school are only told", async () => {
  server.on(saveAllergens, { allergens: [...standardAllergens, 'Kiwi', 'Mango'] })
  const hands = open()
  const own = await screen.findByLabelText("The school's own allergens")
  expect(own).toHaveValue('Kiwi')
  expect(screen.getByText(/^Always on the list: Milk, Eggs,/)).toBeInTheDocument()
  await hands.type(own, '\n Mango \n')
  await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
  expect(await screen.findByText('Allergens saved successfully')).toBeInTheDocument()
  expect(server.asked(saveAllergens).map(({ body }) => body)).toEqual([{ allergens: ['Kiwi', 'Mango'] }])
})

test('words of menu items that came onto the list are shown until it is saved', async () => {
  server.on(foundAllergens, { found: ['Celery'] })
  server.on(saveAllergens, { allergens: [...standardAllergens, 'Kiwi'] })
  const hands = open()
  expect(await screen.findByText(/^Celery: found on menu items/)).toBeInTheDocument()
  server.on(foundAllergens, { found: [] })
  await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
  expect(await screen.findByText('Allergens saved successfully')).toBeInTheDocument()
  expect(screen.queryByText(/Celery/)).not.toBeInTheDocument()
})

test('a list that is refused stays as it was typed, with the reason', async () => {
  server.on(saveAllergens, () => refusal(400, 'validation_failed', 'At most 20 of your own'))
  const hands = open()
  const own = await screen.findByLabelText("The school's own allergens")
  await hands.type(own, '\nMango')
  await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
  expect(await screen.findByText('At most 20 of your own')).toBeInTheDocument()
  expect(own).toHaveValue('Kiwi\nMango')
})
