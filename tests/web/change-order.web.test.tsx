import { screen, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { changeOrder, listOrders, setAbsence } from '#contracts/ordering'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { order, parent, pizza, stew } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(listMenu, [
    { ...stew, categories: ['beef'], sideDishes: ['rice'] },
    { ...pizza, type: 'primary', categories: [], sideDishes: [], price: '30' },
  ])
})
const changeable = order({
  menuItem: { id: stew.id, name: stew.name, type: 'primary' },
  allowed: { change: true },
})

const openDialog = async () => {
  server.on(listOrders, [changeable])
  const hands = openPortal('/?tab=orders', parent)
  await hands.click(await screen.findByRole('button', { name: 'Change Meal' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change this meal' }))
  return { hands, dialog }
}

test('another meal is chosen, and what it costs less becomes credit', async () => {
  server.on(changeOrder, changeable)
  const { hands, dialog } = await openDialog()
  await hands.selectOptions(await dialog.findByLabelText('Meal'), String(pizza.id))
  expect(dialog.getByText('K15.00 becomes credit for your next orders.')).toBeInTheDocument()
  await hands.click(dialog.getByRole('button', { name: 'Change Meal' }))
  expect(await screen.findByText('Meal changed')).toBeInTheDocument()
  expect(server.asked(changeOrder)[0]?.body).toEqual({
    menuItemId: pizza.id,
    category: null,
    sideDish: null,
    comments: '',
    discountedPrice: 30,
  })
})

test('without enough credit the dialog stays, with the words of the server', async () => {
  server.on(changeOrder, () => refusal(402, 'credit_short', 'There is not enough credit'))
  const { hands, dialog } = await openDialog()
  await hands.click(await dialog.findByRole('button', { name: 'Change Meal' }))
  expect(await screen.findByText('There is not enough credit')).toBeInTheDocument()
  expect(dialog.getByLabelText('Meal')).toBeInTheDocument()
})

test('"Ill today" tells the tuckshop', async () => {
  server.on(listOrders, [order({ allowed: { cancel: false, absent: true } })])
  server.on(setAbsence, order({ absent: true }))
  const hands = openPortal('/?tab=orders', parent)
  await hands.click(await screen.findByRole('button', { name: 'Ill today' }))
  expect(await screen.findByText('The tuckshop knows that your child is ill')).toBeInTheDocument()
  expect(server.asked(setAbsence)[0]?.body).toEqual({ absent: true })
})

test('waits for what the other meal leaves to choose, and words say what; the only one is chosen', async () => {
  const fish = { ...stew, id: 77, name: 'Fish', categories: ['bream', 'tilapia'], sideDishes: ['nshima'] }
  server.on(listMenu, [{ ...stew, categories: ['beef'], sideDishes: ['rice'] }, fish])
  const { hands, dialog } = await openDialog()
  await hands.selectOptions(await dialog.findByLabelText('Meal'), String(fish.id))
  const send = dialog.getByRole('button', { name: 'Change Meal' })
  expect(send).toBeDisabled()
  expect(send).toHaveAccessibleDescription('Choose a protein first')
  expect(dialog.getByLabelText('Side dish')).toHaveValue('nshima')
  await hands.selectOptions(dialog.getByLabelText('Protein'), 'bream')
  expect(send).toBeEnabled()
  expect(send).not.toHaveAccessibleDescription()
})
