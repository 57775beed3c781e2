import { screen, waitFor, within } from '@testing-library/react'
import { contact, convertToTeacher, getCommunication, logout, updateProfile } from '#contracts/identity'
import { chatLink } from '../../web/features/support/contact-dialog'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, messageOf, openPortal, press } from './open-portal'
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
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
const unheard = () => {
  throw new FakeRefusal(502, null)
}

describe('contact', () => {
  test('offers no form while the school has no address to send it to', async () => {
    server.on(getCommunication, { supportEmail: '', whatsappNumber: '' })
    await open('Contact')
    await said('The school has not set a support email address yet. Please contact the school office.')
    expect(screen.queryByLabelText('Message')).not.toBeInTheDocument()
  })

  test('every rule has its message', async () => {
    const hands = await open('Contact')
    await hands.clear(await screen.findByLabelText('Name'))
    await hands.clear(screen.getByLabelText('Email'))
    await hands.type(screen.getByLabelText('Message'), 'too short')
    await press(hands, 'Send Message')
    await waitFor(() => expect(messageOf(screen.getByLabelText('Name'))).toBe('Name is required'))
    expect(messageOf(screen.getByLabelText('Email'))).toBe('Please enter a valid email address')
    expect(messageOf(screen.getByLabelText('Message'))).toBe('Message must be at least 10 characters long')
  })

  test('is sent with who asks', async () => {
    server.on(contact, { message: 'ok' })
    const hands = await open('Contact')
    await hands.type(await screen.findByLabelText('Message'), 'Is there fish?')
    await press(hands, 'Send Message')
    await said('Message sent successfully')
    await said('We will get back to you soon!')
    await closed()
    expect(server.asked(contact)[0]?.body).toEqual({
      name: 'Mutinta Mwila',
      email: 'mwila@example.com',
      message: 'Is there fish?',
    })
  })

  test('that fails stays open', async () => {
    server.on(contact, unheard)
    const hands = await open('Contact')
    await hands.type(await screen.findByLabelText('Message'), 'Is there fish?')
    await press(hands, 'Send Message')
    await said('Error sending message')
    await said('Failed to send email')
    expect(screen.getByDisplayValue('Is there fish?')).toBeInTheDocument()
  })

  test('by chat opens with the username written', async () => {
    server.on(getCommunication, { supportEmail: '', whatsappNumber: '+260 97-123' })
    const hands = await open('Contact')
    await hands.click(screen.getByRole('tab', { name: 'Chat' }))
    const link = await screen.findByRole('link', { name: 'Chat on WhatsApp' })
    expect(link.getAttribute('href')).toBe(chatLink('+260 97-123', 'mwila'))
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toMatch(/wa\.me\/26097123\?text=.*mwila/)
  })

  test('by chat without a number', async () => {
    server.on(getCommunication, { supportEmail: '', whatsappNumber: '' })
    const hands = await open('Contact')
    screen.getByRole('tab', { name: 'E-mail' }).focus()
    await hands.keyboard('{ArrowRight}')
    await said('WhatsApp support contact information will be available soon.')
  })
})

describe('the profile', () => {
  const mismatch = "Password confirmation doesn't match or current password is required"

  test('without a new password sends none of the three', async () => {
    server.on(updateProfile, { ...parent, name: 'M. Mwila' })
    const hands = await open('View Profile')
    await hands.clear(screen.getByLabelText('Name'))
    await hands.type(screen.getByLabelText('Name'), 'M. Mwila')
    await hands.type(screen.getByLabelText('Current Password'), 'secret1')
    await press(hands, 'Save Changes')
    await closed()
    expect(server.asked(updateProfile)[0]?.body).toEqual({
      name: 'M. Mwila',
      email: 'mwila@example.com',
      phone: '',
    })
  })

  test('needs a name, a real e-mail address', async () => {
    const hands = await open('View Profile')
    await hands.clear(screen.getByLabelText('Name'))
    await hands.type(screen.getByLabelText('Email (Optional)'), '@')
    await press(hands, 'Save Changes')
    await waitFor(() => expect(messageOf(screen.getByLabelText('Name'))).toBe('Name is required'))
    expect(messageOf(screen.getByLabelText('Email (Optional)'))).toBe('Invalid email address')
  })

  test.each([
    ['without the current one', '', 'secret2'],
    ['with another confirmation', 'secret1', 'secret3'],
  ])('a new password %s', async (_how, current, again) => {
    const hands = await open('View Profile')
    if (current) await hands.type(screen.getByLabelText('Current Password'), current)
    await hands.type(screen.getByLabelText('New Password'), 'secret2')
    await hands.type(screen.getByLabelText('Confirm New Password'), again)
    await press(hands, 'Save Changes')
    await waitFor(() => expect(messageOf(screen.getByLabelText('Confirm New Password'))).toBe(mismatch))
    expect(server.asked(updateProfile)).toHaveLength(0)
  })

  test("a failure is told, the server's fields under theirs", async () => {
    server.on(updateProfile, () =>
      refusal(422, 'wrong_password', 'No', { fields: { currentPassword: 'Wrong password' } }),
    )
    const hands = await open('View Profile')
    await press(hands, 'Save Changes')
    await waitFor(() => expect(messageOf(screen.getByLabelText('Current Password'))).toBe('Wrong password'))
    server.on(updateProfile, () => refusal(409, 'email_taken', 'This address is taken'))
    await press(hands, 'Save Changes')
    await said('Update Failed')
    await said('This address is taken')
  })
})

const convert = async () => {
  const hands = await open('View Profile')
  await press(hands, 'Convert to Teacher Account')
  await press(hands, 'Convert Account')
}

describe('becoming a teacher', () => {
  test('asks first, names the children and says that it is final', async () => {
    const hands = await open('View Profile')
    await press(hands, 'Convert to Teacher Account')
    const question = await screen.findByRole('dialog', { name: 'Convert to a teacher account?' })
    expect(question).toHaveTextContent(
      'You can no longer order for Chanda and Bwalya with it. This is final.',
    )
    expect(server.asked(convertToTeacher)).toEqual([])
  })

  test('logs out and asks to log in again', async () => {
    server.on(convertToTeacher, { message: 'ok' })
    server.on(logout, { message: 'ok' })
    await convert()
    await said('Account Converted')
    await said('Your account has been converted to a teacher account. Please log in again.')
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
    expect(server.asked(logout)).toHaveLength(1)
  })

  test('or fails', async () => {
    server.on(convertToTeacher, unheard)
    await convert()
    await said('Conversion failed')
  })
})

test('the terms, and from them the refund policy', async () => {
  const hands = await open('Terms & Conditions')
  await press(hands, 'Refund Policy')
  const policy = within(await screen.findByRole('dialog', { name: 'Refund Policy' }))
  expect(policy.getByText('A cash refund is available within 1 hour at the canteen.')).toBeInTheDocument()
  expect(policy.getByText('Mobile money refunds take 3-5 business days.')).toBeInTheDocument()
  await hands.click(policy.getAllByRole('button', { name: 'Close' })[0]!)
  expect(await screen.findByRole('dialog', { name: 'Terms & Conditions' })).toBeInTheDocument()
})
