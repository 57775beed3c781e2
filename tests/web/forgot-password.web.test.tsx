import { screen, waitFor, within } from '@testing-library/react'
import { forgotPassword } from '#contracts/identity'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, messageOf, openPortal, press } from './open-portal'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const identifier = () => screen.findByLabelText('Username or Email Address')
const confirmation = () => screen.findByRole('dialog', { name: 'Confirm Password Reset' })

const upToConfirmation = async () => {
  const hands = openPortal('/', null)
  await press(hands, 'Forgot your password?')
  await hands.type(await identifier(), 'mwila')
  await press(hands, 'Send Reset Instructions')
  await confirmation()
  return hands
}

test('asks for a name before it asks once more', async () => {
  const hands = openPortal('/', null)
  await press(hands, 'Forgot your password?')
  await identifier()
  await press(hands, 'Send Reset Instructions')
  await waitFor(async () => expect(messageOf(await identifier())).toBe('Username or email is required'))
  expect(screen.queryByText('Confirm Password Reset')).not.toBeInTheDocument()
})

test('the confirmation says that the current password stays, and can be left', async () => {
  const hands = await upToConfirmation()
  const asked = within(await confirmation())
  expect(asked.getByText(/current password stays active/)).toBeInTheDocument()
  await hands.click(asked.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText('Confirm Password Reset')).not.toBeInTheDocument())
  expect(((await identifier()) as HTMLInputElement).value).toBe('mwila')
  expect(server.asked(forgotPassword)).toHaveLength(0)
})

test('both buttons say Sending while it runs; then the dialog closes and its form is empty', async () => {
  const waiting: ((reply: { message: string }) => void)[] = []
  server.on(forgotPassword, () => new Promise((resolve) => waiting.push(resolve)))
  const hands = await upToConfirmation()
  await press(hands, 'Yes, Send Reset')
  expect(await screen.findAllByText('Sending...')).toHaveLength(2)
  waiting[0]?.({ message: 'Look into your mail' })
  expect(await screen.findByText('Password Reset Sent')).toBeInTheDocument()
  expect(screen.getByText('Look into your mail')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(server.asked(forgotPassword)[0]?.body).toEqual({ identifier: 'mwila' })
  await press(hands, 'Forgot your password?')
  expect(((await identifier()) as HTMLInputElement).value).toBe('')
})

const failed = async (text: string) => {
  await press(await upToConfirmation(), 'Yes, Send Reset')
  expect(await screen.findByText(text)).toBeInTheDocument()
  expect(((await identifier()) as HTMLInputElement).value).toBe('mwila')
}

describe('when it fails the dialog stays open', () => {
  test("with the server's message", async () => {
    server.on(forgotPassword, () => refusal(429, 'rate_limited', 'Too many attempts'))
    await failed('Too many attempts')
  })

  test('with the default text', async () => {
    server.on(forgotPassword, () => {
      throw new FakeRefusal(502, null)
    })
    await failed('Failed to send password reset.')
  })

  test('without a network', async () => {
    server.on(forgotPassword, () => {
      throw new TypeError('no network')
    })
    await failed('Network error. Please try again.')
  })
})
