import { screen, waitFor, within } from '@testing-library/react'
import { logout } from '#contracts/identity'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const fold = () => screen.findByRole('button', { name: 'Open menu' })
const inMenu = (name: string) => within(screen.getByRole('menu')).getByRole('menuitem', { name })

test('on a phone the acts of the header are a menu that the arrow keys walk', async () => {
  const hands = openPortal('/', parent)
  await hands.click(await fold())
  expect(
    within(screen.getByRole('menu'))
      .getAllByRole('menuitem')
      .map((one) => one.textContent),
  ).toEqual(['Contact', 'View Profile', 'Logout'])
  await hands.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getByRole('menu')).toHaveAttribute('aria-activedescendant', inMenu('View Profile').id)
  await hands.keyboard('{Enter}')
  await hands.click(await screen.findByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  await waitFor(async () => expect(await fold()).toHaveFocus())
})

test('Escape closes it, and Logout signs out', async () => {
  server.on(logout, { message: 'ok' })
  const hands = openPortal('/', parent)
  await hands.click(await fold())
  await hands.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  expect(await fold()).toHaveFocus()
  await hands.click(await fold())
  await hands.click(inMenu('Logout'))
  expect(await screen.findByLabelText('Username')).toBeInTheDocument()
  expect(server.asked(logout)).toHaveLength(1)
})
