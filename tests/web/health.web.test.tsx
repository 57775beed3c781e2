import { screen, waitFor, within } from '@testing-library/react'
import { getAllergens, getHealth, saveHealth, type Health, mealMarks } from '#contracts/health'
import { listStudents } from '#contracts/identity'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { chanda, parent } from './sample-family'

const undeclared: Health = {
  allergies: null,
  diet: 'none',
  medicalNote: '',
  noteConsent: false,
  updatedAt: null,
}

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(listStudents, [chanda])
  server.on(getAllergens, { allergens: ['Milk', 'Peanuts', 'Kiwi'] })
})

const said = (health: Health) => {
  server.on(getHealth, health)
  const { allergies, diet } = health
  server.on(mealMarks, { rule: 'block', students: [{ studentId: chanda.id, allergies, diet }] })
}

const open = async (health: Health) => {
  said(health)
  server.on(saveHealth, health)
  const hands = openPortal('/?tab=students', parent)
  await screen.findByText('Chanda')
  return hands
}

test('a parent says what a child is allergic to, and who may read the note', async () => {
  const hands = await open(undeclared)
  await hands.click(
    await screen.findByRole('button', { name: 'Tell the kitchen about allergies and diet: Chanda' }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Allergies and diet of Chanda' }))
  await hands.selectOptions(await dialog.findByLabelText('Allergies'), 'Has allergies')
  await press(hands, 'Save')
  expect(await dialog.findByText('Tick at least one')).toBeInTheDocument()
  expect(server.asked(saveHealth)).toEqual([])
  await hands.click(dialog.getByRole('checkbox', { name: 'Kiwi' }))
  await hands.selectOptions(dialog.getByLabelText('Diet'), 'Halal')
  await hands.type(dialog.getByLabelText('Medical note (optional)'), 'Inhaler in the bag')
  await hands.click(dialog.getByRole('checkbox', { name: /The kitchen may read the note/ }))
  await press(hands, 'Save')
  expect(await screen.findByText('Allergies and diet are saved')).toBeInTheDocument()
  expect(server.asked(saveHealth).map(({ body }) => body)).toEqual([
    { allergies: ['Kiwi'], diet: 'halal', medicalNote: 'Inhaler in the bag', noteConsent: true },
  ])
})

test('the home asks where nothing was said of a child, and no longer once it was', async () => {
  said(undeclared)
  server.on(saveHealth, undeclared)
  const hands = openPortal('/', parent)
  const asked = await screen.findByRole('region', { name: 'Allergies and diet' })
  expect(asked).toHaveTextContent('Is there anything that this child must not eat?')
  await hands.click(within(asked).getByRole('button', { name: 'Say it now: Chanda' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Allergies and diet of Chanda' }))
  await hands.selectOptions(await dialog.findByLabelText('Allergies'), 'No allergies')
  said({ ...undeclared, allergies: [] })
  await press(hands, 'Save')
  await waitFor(() => expect(asked).not.toBeInTheDocument())
  expect(server.asked(saveHealth).map(({ body }) => body)).toMatchObject([{ allergies: [] }])
})

test('what was said stands beside the child, none told apart from not said, and no record is read for it', async () => {
  await open({ ...undeclared, allergies: ['Peanuts'], diet: 'no_pork' })
  expect(await screen.findByText('Allergies: Peanuts · No pork')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Change allergies and diet: Chanda' })).toBeInTheDocument()
  expect(server.asked(getHealth)).toEqual([])
})
