import { screen, waitFor } from '@testing-library/react'
import { currentUser, login, verifyEmail } from '#contracts/identity'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press, shownAddress } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
const unproven = { ...parent, email: 'new@example.com', emailVerified: false }

test('the link of the mail proves the address by one press, and by no look', async () => {
  server.on(verifyEmail, { message: 'Your email address has been confirmed' })
  const hands = openPortal('/verify-email?token=a.b', unproven)
  await said(/Its email address is new@example.com/)
  expect(server.asked(verifyEmail)).toEqual([])
  server.on(currentUser, { ...unproven, emailVerified: true })
  await press(hands, 'Confirm Email Address')
  await said('Email Verified Successfully')
  expect(server.asked(verifyEmail).map(({ body }) => body)).toEqual([{ token: 'a.b' }])
  await waitFor(() => expect(shownAddress()).toBe('/'))
})

test('whoever is signed out signs in first, and the link is kept', async () => {
  server.on(login, unproven)
  server.on(verifyEmail, { message: 'Your email address has been confirmed' })
  const hands = openPortal('/verify-email?token=a.b', null)
  await said('Log in to confirm your email address')
  await hands.type(await screen.findByLabelText('Username'), 'mwila.banda')
  await hands.type(await screen.findByLabelText('Password'), 'parent-password')
  await press(hands, 'Login to Portal')
  server.on(currentUser, { ...unproven, emailVerified: true })
  await press(hands, 'Confirm Email Address')
  expect(server.asked(verifyEmail).map(({ body }) => body)).toEqual([{ token: 'a.b' }])
})

test('whoever does not want to confirm goes home', async () => {
  const hands = openPortal('/verify-email?token=a.b', unproven)
  await hands.click(await screen.findByRole('link', { name: 'Not now' }))
  await waitFor(() => expect(shownAddress()).toBe('/'))
  expect(server.asked(verifyEmail)).toEqual([])
})

test('a link without its token has nothing to press', async () => {
  openPortal('/verify-email', unproven)
  await said('This link is not complete. Please open it from the email itself.')
  expect(screen.queryByRole('button', { name: 'Confirm Email Address' })).toBeNull()
})

test.each([
  ['verification_of_another', 403, /This link belongs to another account/],
  ['verification_expired', 409, /This link has expired/],
  ['verification_used', 409, /belongs to an earlier email address/],
  ['verification_invalid', 422, /This link is not complete/],
])('%s is told in words', async (code, status, words) => {
  server.on(verifyEmail, () => refusal(status, code, 'No'))
  const hands = openPortal('/verify-email?token=a.b', unproven)
  await press(hands, 'Confirm Email Address')
  await said('Email Verification Failed')
  await said(words)
  await waitFor(() => expect(shownAddress()).toBe('/'))
})

test('where no answer comes it can be pressed again', async () => {
  server.on(verifyEmail, () => {
    throw new TypeError('Failed to fetch')
  })
  const hands = openPortal('/verify-email?token=a.b', unproven)
  await press(hands, 'Confirm Email Address')
  await said('No answer came. Please check your connection and try again.')
})
