import { act, screen, waitFor } from '@testing-library/react'
import { listStudents, logout } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press, shownAddress } from './open-portal'
import { parent, teacher } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})
afterEach(() => jest.useRealTimers())

const title = () => document.title
const missing = '404 Page Not Found'

test.each(['/settings', '/menu/edit/1', '/debug-login', '/anything'])(
  '%s is no page of a parent',
  async (path) => {
    openPortal(path, parent)
    expect(await screen.findByRole('heading', { name: missing })).toBeInTheDocument()
  },
)

test('no page of a teacher, and home from there', async () => {
  server.on(listStudents, [])
  server.on(listOrders, { data: [] })
  const hands = openPortal('/settings', teacher)
  await screen.findByRole('heading', { name: missing })
  await hands.click(screen.getByRole('link', { name: 'Return to Home' }))
  expect(await screen.findByText('Welcome, banda')).toBeInTheDocument()
})

test('the tab stands in the address and in the title', async () => {
  const hands = openPortal('/', parent)
  await waitFor(() => expect(title()).toBe('Menu Calendar · Parent & Teacher Portal'))
  await hands.click(screen.getByRole('tab', { name: 'Students' }))
  expect(shownAddress()).toBe('/?tab=students')
  await waitFor(() => expect(title()).toContain('Students'))
})

test('tabs turn with the arrow keys', async () => {
  const hands = openPortal('/', parent)
  await screen.findByText('Welcome, mwila')
  screen.getByRole('tab', { name: 'Menu Calendar' }).focus()
  await hands.keyboard('{ArrowLeft}')
  expect(screen.getByRole('tab', { name: 'Order History' })).toHaveFocus()
  expect(shownAddress()).toBe('/?tab=orders')
  await hands.keyboard('{Home}')
  expect(shownAddress()).toBe('/?tab=menu')
})

describe('logging out', () => {
  test('shows the way in', async () => {
    server.on(logout, { message: 'ok' })
    const hands = openPortal('/', parent)
    await press(hands, 'Logout')
    expect(await screen.findByText('Logged out successfully')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  })

  test('or fails and stays', async () => {
    server.on(logout, () => {
      throw new FakeRefusal(502, null)
    })
    const hands = openPortal('/', parent)
    await press(hands, 'Logout')
    expect(await screen.findByText('Failed to logout')).toBeInTheDocument()
    expect(screen.getByText('Welcome, mwila')).toBeInTheDocument()
  })
})

test('a session that has ended shows the way in', async () => {
  server.on(listStudents, () => refusal(401, 'not_signed_in', 'Not signed in'))
  openPortal('/', parent)
  expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
})

const afterWaiting = async (query: string) => {
  jest.useFakeTimers()
  openPortal(`/payment/cancel${query}`, parent)
  await act(() => jest.advanceTimersByTimeAsync(500))
  await act(() => jest.advanceTimersByTimeAsync(1499))
  expect(screen.getByRole('heading', { name: 'Payment Cancelled' })).toBeInTheDocument()
  await act(() => jest.advanceTimersByTimeAsync(1))
  return shownAddress()
}

describe('a cancelled payment', () => {
  test('goes on to its return address after 1.5 s', async () => {
    expect(await afterWaiting('?returnUrl=%2F%3Ftab%3Dcart')).toBe('/?tab=cart')
  })
  test.each(['', '?returnUrl=https%3A%2F%2Fevil.example', '?returnUrl=%2F%2Fevil.example'])(
    'stays with %s',
    async (query) => {
      expect(await afterWaiting(query)).toBe(`/payment/cancel${query}`)
    },
  )
  test('returns home by hand', async () => {
    const hands = openPortal('/payment/cancel', parent)
    await press(hands, 'Return to Home')
    expect(await screen.findByText('Welcome, mwila')).toBeInTheDocument()
  })
})
