import { act, screen, waitFor, within } from '@testing-library/react'
import {
  administratorList,
  setAdminStatus,
  type AdminUser,
  getStaffCode,
  removeSecondFactor,
} from '#contracts/accounts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  currentUser,
  endSecondFactor,
  endSession,
  getSecurity,
  listSessions,
  login,
  logout,
  saveSecurity,
  updateProfile,
} from '#contracts/identity'
import { refusal, type FakeServer } from './admin/fake-server'
import { adminWith, forgetToasts } from './admin/open-console'
import { onePage } from './admin/sample-settings'
import { freshPortal, messageOf, openPortal, press } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(listSessions, [])
})
afterEach(forgetToasts)

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
const profileOf = async (user = parent) => {
  const hands = openPortal('/', user)
  await press(hands, 'View Profile')
  await screen.findByRole('dialog')
  return hands
}

test('another email is saved with the current password, and what the server says of it stands under its field', async () => {
  server.on(updateProfile, () =>
    refusal(422, 'wrong_current_password', 'No', {
      fields: { currentPassword: 'Current password is required' },
    }),
  )
  const hands = await profileOf()
  await hands.clear(screen.getByLabelText('Email (Optional)'))
  await hands.type(screen.getByLabelText('Email (Optional)'), 'new@example.com')
  await press(hands, 'Save Changes')
  await waitFor(() =>
    expect(messageOf(screen.getByLabelText('Current Password'))).toBe('Current password is required'),
  )
  server.on(updateProfile, { ...parent, email: 'new@example.com' })
  await hands.type(screen.getByLabelText('Current Password'), 'secret1')
  await press(hands, 'Save Changes')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(server.asked(updateProfile).at(-1)?.body).toEqual({
    name: parent.name,
    email: 'new@example.com',
    phone: '',
    currentPassword: 'secret1',
  })
})

test('the profile tells where else one is logged in, and logs out there', async () => {
  const createdAt = '2026-09-16T05:00:00Z'
  const own = { id: 'a', current: true, createdAt, lastUsedAt: createdAt, device: 'Chrome on Android' }
  const other = {
    ...own,
    id: '018f0000-0000-7000-8000-000000000000',
    current: false,
    device: 'Firefox on Windows',
  }
  server.on(listSessions, [own, other])
  server.on(endSession, { message: 'Session ended' })
  const hands = await profileOf()
  const rows = within(await screen.findByRole('region', { name: 'Where you are logged in' })).getAllByRole(
    'listitem',
  )
  expect(rows[0]).toHaveTextContent('Chrome on AndroidLast used')
  expect(rows[0]).toHaveTextContent('This device')
  server.on(listSessions, [own])
  await hands.click(screen.getByRole('button', { name: /^Log out Firefox on Windows/ }))
  await waitFor(() => expect(screen.queryByText('Firefox on Windows')).not.toBeInTheDocument())
  expect(server.asked(endSession)[0]?.params).toEqual({ id: other.id })
})

const kept = 'tuckshop-cart-7'
const other = 'another-site'
const loggedOut = async (ownDevice: boolean) => {
  localStorage.setItem(kept, '[]')
  localStorage.setItem(other, 'stays')
  server.on(login, parent)
  server.on(logout, { message: 'Logged out successfully' })
  const hands = openPortal('/', null)
  await hands.type(await screen.findByLabelText('Username'), 'mwila')
  await hands.type(screen.getByLabelText('Password'), 'secret1')
  const box = screen.getByRole('checkbox', { name: /^Keep my cart on this device after I log out/ })
  if (ownDevice) await hands.click(box)
  await press(hands, 'Login to Portal')
  await press(hands, 'Logout')
  await screen.findByLabelText('Username')
}

test('signing out removes what the browser keeps of the portal, and nothing else', async () => {
  await loggedOut(false)
  expect([localStorage.getItem(kept), localStorage.getItem(other)]).toEqual([null, 'stays'])
})

test('on my own device the cart stays, and the box stays ticked', async () => {
  await loggedOut(true)
  expect(localStorage.getItem(kept)).toBe('[]')
  expect(screen.getByRole('checkbox', { name: /^Keep my cart on this device after I log out/ })).toBeChecked()
})

test('another tab that signs out signs out here', async () => {
  openPortal('/', parent)
  await screen.findByRole('button', { name: 'View Profile' })
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'tuckshop-signed-out', newValue: '1' }))
  })
  expect(await screen.findByLabelText('Username')).toBeInTheDocument()
})

test('the login asks for the code once the password was right', async () => {
  server.on(login, () => refusal(401, 'second_factor_required', 'Enter the code of your authenticator app'))
  const hands = openPortal('/', null)
  await hands.type(await screen.findByLabelText('Username'), 'grace')
  await hands.type(screen.getByLabelText('Password'), 'a-long-secret')
  await press(hands, 'Login to Portal')
  const code = await screen.findByLabelText('Code of Your Authenticator App')
  expect(code).toHaveFocus()
  server.on(login, () =>
    refusal(401, 'second_factor_wrong', 'This code is wrong or has already been used', {
      fields: { code: 'This code is wrong or has already been used' },
    }),
  )
  await hands.type(code, '000000')
  await press(hands, 'Login to Portal')
  await waitFor(() => expect(messageOf(code)).toBe('This code is wrong or has already been used'))
  expect(server.asked(login).at(-1)?.body).toEqual({
    username: 'grace',
    password: 'a-long-secret',
    code: '000000',
  })
})

const secret = {
  secret: 'JBSWY3DPEHPK3PXP',
  otpauthUrl: 'otpauth://totp/School:grace?secret=JBSWY3DPEHPK3PXP',
}
const setUp = async (hands: ReturnType<typeof openPortal>) => {
  await hands.type(await screen.findByLabelText('Your Password'), 'a-long-secret')
  await press(hands, 'Continue')
  await hands.type(await screen.findByLabelText('Code of the App'), '123456')
  await press(hands, 'Turn On')
}

describe('the second factor of an administrator', () => {
  const grace = adminWith('kitchen')

  test('is set up with password and code, and its recovery codes are shown once', async () => {
    server.on(beginSecondFactor, secret)
    server.on(confirmSecondFactor, { recoveryCodes: ['aaaa-bbbb-cccc', 'dddd-eeee-ffff'] })
    const hands = await profileOf(grace)
    await press(hands, 'Set Up Second Factor')
    await setUp(hands)
    await said('aaaa-bbbb-cccc')
    expect(server.asked(beginSecondFactor)[0]?.body).toEqual({ currentPassword: 'a-long-secret' })
    expect(server.asked(confirmSecondFactor)[0]?.body).toEqual({ code: '123456' })
    server.on(currentUser, { ...grace, secondFactor: true })
    await press(hands, 'I Have Written Them Down')
    await said('You log in with your password and a code of your authenticator app.')
  })

  test('is removed with password and code', async () => {
    server.on(endSecondFactor, { message: 'Second factor removed' })
    const hands = await profileOf({ ...grace, secondFactor: true })
    await press(hands, 'Remove Second Factor')
    await hands.type(screen.getByLabelText('Your Password'), 'a-long-secret')
    await hands.type(screen.getByLabelText('Code of the App'), '123456')
    server.on(currentUser, grace)
    await press(hands, 'Remove Second Factor')
    await said('Second factor removed')
    await said(/^With an authenticator app on your phone/)
  })

  test('that the school demands is the only screen until it is set up', async () => {
    server.on(beginSecondFactor, secret)
    server.on(confirmSecondFactor, { recoveryCodes: ['aaaa-bbbb-cccc'] })
    const hands = openPortal('/', { ...grace, mustSetUpSecondFactor: true })
    await said('Set up your second factor')
    await setUp(hands)
    await said('aaaa-bbbb-cccc')
    server.on(currentUser, { ...grace, secondFactor: true })
    await press(hands, 'I Have Written Them Down')
    expect(await screen.findByRole('button', { name: 'View Profile' })).toBeInTheDocument()
  })
})

describe('the console', () => {
  const office = adminWith('admins', 'settings')
  const cook: AdminUser = {
    id: 5,
    username: 'cook',
    role: 'admin',
    allowedFeatures: ['kitchen'],
    isSuperadmin: false,
    disabled: false,
    secondFactor: true,
    allowed: { features: [], changePassword: false, disable: true, removeSecondFactor: true },
    version: 'filled',
  }

  test('disables an administrator after asking, and enables them at once', async () => {
    const list = (admin: AdminUser) =>
      server.on(administratorList, { data: [admin], metadata: { ...onePage, total: 1 } })
    list(cook)
    server.on(setAdminStatus, { ...cook, disabled: true })
    const hands = openPortal('/?section=admins', office)
    await press(hands, 'Disable cook')
    expect(server.asked(setAdminStatus)).toHaveLength(0)
    list({ ...cook, disabled: true })
    await press(hands, 'Disable')
    await said('Administrator disabled')
    await said('Disabled')
    expect(server.asked(setAdminStatus)[0]).toMatchObject({ params: { id: 5 }, body: { disabled: true } })
    server.on(setAdminStatus, cook)
    await press(hands, 'Enable cook')
    await said('Administrator enabled')
    expect(server.asked(setAdminStatus)[0]?.body).toEqual({ disabled: false })
  })

  test('superadmin takes the second factor of an administrator away after asking', async () => {
    server.on(administratorList, { data: [cook], metadata: { ...onePage, total: 1 } })
    server.on(removeSecondFactor, { message: 'Second factor removed' })
    const hands = openPortal('/?section=admins', office)
    await press(hands, 'Remove second factor of cook')
    await press(hands, 'Remove')
    await said('Second factor removed')
    expect(server.asked(removeSecondFactor)[0]?.params).toEqual({ id: 5 })
  })

  test('saves what is asked of accounts', async () => {
    const saved = { requireSecondFactor: false, maxChildren: 12, maxUnpaidMeals: 40 }
    server.on(getSecurity, saved)
    server.on(getStaffCode, { staffCode: '' })
    server.on(saveSecurity, ({ body }) => body as typeof saved)
    const hands = openPortal('/settings?tab=security', office)
    await hands.click(
      await screen.findByRole('switch', { name: 'Every administrator needs a second factor' }),
    )
    await hands.clear(screen.getByLabelText('Children a parent can add'))
    await hands.type(screen.getByLabelText('Children a parent can add'), '2.5')
    await press(hands, 'Save Security Settings')
    await said('Enter a whole number from 1 to 100')
    await hands.clear(screen.getByLabelText('Children a parent can add'))
    await hands.type(screen.getByLabelText('Children a parent can add'), '8')
    await press(hands, 'Save Security Settings')
    await said('Security settings saved successfully')
    expect(server.asked(saveSecurity)[0]?.body).toEqual({
      ...saved,
      requireSecondFactor: true,
      maxChildren: 8,
    })
  })
})
