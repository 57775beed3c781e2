import { screen, within } from '@testing-library/react'
import { getCredit } from '#contracts/credit'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

test('the balance stands under Order History with its entries', async () => {
  const about = { orderId: '1.2026-09-21.1' }
  const at = '2026-09-14T06:05:00.000Z'
  server.on(getCredit, {
    balance: 30.5,
    held: 0,
    entries: [
      { at, kind: 'spent', amount: -15, balanceAfter: 30.5, about, text: 'Steak instead of Stew' },
      { at, kind: 'cancelled', amount: 45.5, balanceAfter: 45.5, about, text: 'Stew for Chanda: cancelled' },
    ],
  })
  openPortal('/?tab=orders', parent)
  expect(await screen.findByText('K30.50')).toBeInTheDocument()
  const entries = within(screen.getByRole('list', { name: 'Changes of your credit' })).getAllByRole(
    'listitem',
  )
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Steak instead of Stew.*−K15\.00$/),
    expect.stringMatching(/^Stew for Chanda: cancelled.*\+K45\.50$/),
  ])
})

test.each([18, 0])('with K%d left it says what a payment under way holds', async (balance) => {
  server.on(getCredit, { balance, held: 12.5, entries: [] })
  openPortal('/?tab=orders', parent)
  expect(await screen.findByText('K12.50 is held by a payment under way')).toBeInTheDocument()
  expect(screen.getByRole('heading', { name: 'Your credit' })).toBeInTheDocument()
})

test('without a balance nothing of it is shown', async () => {
  openPortal('/?tab=orders', parent)
  expect(await screen.findByText('No orders yet')).toBeInTheDocument()
  expect(screen.queryByText('Your credit')).not.toBeInTheDocument()
})
