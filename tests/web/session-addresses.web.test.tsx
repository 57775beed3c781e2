import { screen, waitFor } from '@testing-library/react'
import { featureNames, listStudents, login, type User } from '#contracts/identity'
import { sections } from '../../web/features/admin-shell/console-shell'
import { superadmin } from './admin/open-console'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { parent, staff, teacher } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const titled = (title: string) => waitFor(() => expect(document.title).toBe(title))
const portal = (words: string) => `${words} · Parent & Teacher Portal`

describe('every screen has a title of its own', () => {
  test.each<[string, User | null, string]>([
    ['/', null, portal('Login')],
    ['/payment/success?TransID=1', null, portal('Your payment is being checked')],
    ['/debug-login', null, portal('Login debug')],
    ['/', { ...parent, mustChangePassword: true }, portal('Change Password')],
    ['/?tab=cart', parent, portal('Cart')],
    ['/?tab=students', parent, portal('Students')],
    ['/?tab=orders', parent, portal('Order History')],
    ['/payment/success', parent, portal('Missing transaction ID')],
    ['/payment/cancel', parent, portal('Payment Cancelled')],
    ['/anything', parent, portal('Page not found')],
    ['/', teacher, 'Menu Calendar · Teacher Portal'],
    ['/?tab=orders', teacher, 'Order History · Teacher Portal'],
    ['/?tab=cart', teacher, 'Cart · Teacher Portal'],
    ['/settings', superadmin, 'Settings · Tuckshop'],
    ['/menu/edit/1', superadmin, 'Edit Menu Item · Tuckshop'],
  ])('%s', async (address, user, title) => {
    server.on(listStudents, [staff])
    openPortal(address, user)
    await titled(title)
  })

  test('the new account', async () => {
    const hands = openPortal('/', null)
    await press(hands, /Create an account/)
    await titled(portal('Create Account'))
    await press(hands, 'Already have an account? Login')
    await titled(portal('Login'))
  })

  test.each(featureNames.map((key) => [key, sections.find((one) => one.key === key)!.label]))(
    'the section %s',
    async (key, label) => {
      openPortal(`/?section=${key}`, superadmin)
      await titled(`${label} · Tuckshop`)
    },
  )
})

test('signed out after paying, somebody can log in or register', async () => {
  const hands = openPortal('/payment/success?TransID=1', null)
  expect(await screen.findByRole('heading', { name: 'Your payment is being checked' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  await press(hands, /Create an account/)
  expect(await screen.findByLabelText('First Name')).toBeInTheDocument()
  await press(hands, 'Already have an account? Login')
  await press(hands, 'Forgot your password?')
  expect(await screen.findByRole('dialog', { name: 'Reset Password' })).toBeInTheDocument()
})

const notTheirs: [string, User, string[]][] = [
  ['a parent', parent, ['/settings', '/menu/edit/1', '/debug-login', '/payment', '/payment/success/more']],
  ['a teacher', teacher, ['/settings', '/menu/edit/1', '/debug-login', '/cart']],
  ['an administrator', superadmin, ['/payment/success', '/payment/cancel', '/debug-login', '/menu/edit']],
]
test.each(notTheirs.flatMap(([who, user, all]) => all.map((address) => [who, address, user] as const)))(
  'for %s %s is a 404',
  async (_who, address, user) => {
    openPortal(address, user)
    expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  },
)

test('the debug login says when there was no answer', async () => {
  server.on(login, () => {
    throw new TypeError('Failed to fetch')
  })
  const hands = openPortal('/debug-login', null)
  await press(hands, 'Submit')
  expect(await screen.findByText('Status: No answer')).toBeInTheDocument()
})
