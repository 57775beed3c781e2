import { screen } from '@testing-library/react'
import { listSessions, sendVerification } from '#contracts/identity'
import { refusal } from './admin/fake-server'
import { forgetToasts } from './admin/open-console'
import { freshPortal, openPortal, press } from './open-portal'
import { parent } from './sample-family'

afterEach(forgetToasts)

test('an email that is not confirmed yet has its link sent again', async () => {
  const server = freshPortal()
  server.on(listSessions, [])
  const hands = openPortal('/', { ...parent, email: 'new@example.com', emailVerified: false })
  await press(hands, 'View Profile')
  const words = await screen.findByText('new@example.com is not confirmed yet.')
  // Beside the address that it is about.
  const phone = screen.getByLabelText('Phone (Optional)')
  expect(words.compareDocumentPosition(phone)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  server.on(sendVerification, () => refusal(429, 'too_many_requests', 'Too many requests'))
  await press(hands, 'Send the Link Again')
  expect(await screen.findByText('Link not sent')).toBeInTheDocument()
  server.on(sendVerification, { message: 'We have sent you a new link' })
  await press(hands, 'Send the Link Again')
  expect(await screen.findByText('Please open the link in the email to new@example.com.')).toBeInTheDocument()
})
