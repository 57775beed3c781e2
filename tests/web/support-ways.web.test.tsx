import { screen, within } from '@testing-library/react'
import { contact, getCommunication } from '#contracts/identity'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(getCommunication, { supportEmail: 'help@school.example', whatsappNumber: '' })
})

const open = async (button: string) => {
  const hands = openPortal('/', parent)
  await press(hands, button)
  await screen.findByRole('dialog')
  return hands
}
const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

test('what was written stays while the chat is looked at', async () => {
  const hands = await open('Contact')
  await hands.type(await screen.findByLabelText('Message'), 'Is there fish?')
  await hands.click(screen.getByRole('tab', { name: 'Chat' }))
  await said('WhatsApp support contact information will be available soon.')
  expect(screen.queryByRole('button', { name: 'Send Message' })).not.toBeInTheDocument()
  await hands.click(screen.getByRole('tab', { name: 'E-mail' }))
  expect(screen.getByLabelText('Message')).toHaveProperty('value', 'Is there fish?')
})

test('a message without an answer says to look at the connection, and stays', async () => {
  server.on(contact, () => {
    throw new TypeError('Failed to fetch')
  })
  const hands = await open('Contact')
  await hands.type(await screen.findByLabelText('Message'), 'Is there fish?')
  await press(hands, 'Send Message')
  await said('Error sending message')
  await said('Failed to send email. Please check your connection and try again.')
  expect(screen.getByDisplayValue('Is there fish?')).toBeInTheDocument()
})

test('a chat whose number cannot be read can be tried again', async () => {
  server.on(getCommunication, () => refusal(500, 'fault', 'It broke'))
  const hands = await open('Contact')
  await hands.click(screen.getByRole('tab', { name: 'Chat' }))
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument()
  expect(screen.getAllByText('Failed to fetch communication settings')).not.toHaveLength(0)
  server.on(getCommunication, { supportEmail: '', whatsappNumber: '+260 971' })
  await press(hands, 'Try again')
  expect(await screen.findByRole('link', { name: 'Chat on WhatsApp' })).toHaveAttribute('target', '_blank')
})

test('the terms have every fact of the school', async () => {
  await open('Terms & Conditions')
  const terms = within(screen.getByRole('dialog', { name: 'Terms & Conditions' }))
  for (const fact of [
    /Orders must be placed before the cutoff\./,
    /Payment is by cash, mobile money or online\./,
    /Meals must be collected within lunch hours\./,
  ])
    expect(terms.getByText(fact)).toBeInTheDocument()
})

test('so has the refund policy, with what to do', async () => {
  const hands = await open('Terms & Conditions')
  await press(hands, 'Refund Policy')
  const policy = within(await screen.findByRole('dialog', { name: 'Refund Policy' }))
  expect(policy.getAllByRole('listitem').map((rule) => rule.textContent)).toEqual([
    'A cash refund is available within 1 hour at the canteen.',
    'Mobile money refunds take 3-5 business days.',
    'Requests are processed within 48 hours.',
    'Cancellations before preparation',
    'Absence with notice',
    'Duplicate payment',
    'Wrong orders',
    'Requests made more than 24 hours after the order date',
    'A consumed meal',
    'Requests with missing proof',
  ])
  expect(policy.getByText(/write to us under Contact/)).toBeInTheDocument()
})
