import { act, screen, waitFor, within } from '@testing-library/react'
import {
  currentUser,
  listSessions,
  contact,
  convertToTeacher,
  getCommunication,
  logout,
  updateProfile,
} from '#contracts/identity'
import {
  type ShownMessages,
  type UserMessages,
  confirmPhone,
  getUserMessages,
  saveUserMessages,
  verifyPhone,
  stopReminders,
} from '#contracts/messages'
import { chatLink } from '../../web/features/support/contact-dialog'
import { type FakeServer, refusal, FakeRefusal } from './admin/fake-server'
import { forgetToasts } from './admin/open-console'
import { freshPortal, messageOf, openPortal, press } from './open-portal'
import { parent, userMessages } from './sample-family'

let server: FakeServer

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()

describe('messages', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(listSessions, [])
  })
  afterEach(forgetToasts)

  const withPhone = { ...parent, phone: '0971 234 567' }
  const bySms: ShownMessages = { ...userMessages, smsOffered: true }
  const verified: ShownMessages = { ...bySms, phoneVerified: true }
  const codeUntil = '2026-09-16T05:10:00.000Z'

  /** The messages of the profile, once they are there. */
  const open = async (shown: ShownMessages, user = withPhone) => {
    server.on(getUserMessages, shown)
    const hands = openPortal('/', user)
    await press(hands, 'View Profile')
    return { hands, card: within(await screen.findByRole('region', { name: 'Messages' })) }
  }

  describe('the messages of the profile', () => {
    test('say where the school writes to; what it does not offer is not asked', async () => {
      const { card } = await open(userMessages)
      await said(/^The school writes to you by email to mwila@example.com: what you order/)
      expect(card.queryByRole('radio')).not.toBeInTheDocument()
      expect(card.queryByRole('switch')).not.toBeInTheDocument()
      expect(card.queryByText(/verif/)).not.toBeInTheDocument()
    })

    test('say that nothing reaches who has neither an address nor a verified phone', async () => {
      await open({ ...bySms, goesTo: [] }, {
        ...withPhone,
        email: null,
        contactNeeded: 'email_or_phone',
      } as never)
      await said('No message reaches you')
      await said(/^Add an email address above, or verify your phone, so that/)
      await said(
        'For receipts and a forgotten password. Needed to pay by card or bank, unless you verify your phone.',
      )
    })

    test('are chosen by email, SMS or both once the phone is verified, and saved at once', async () => {
      server.on(saveUserMessages, ({ body }) => {
        server.on(getUserMessages, { ...verified, ...(body as UserMessages), goesTo: ['sms'] })
        return { ...verified, ...(body as UserMessages) }
      })
      const { hands } = await open({ ...verified, remindersOffered: true })
      await hands.click(await screen.findByRole('radio', { name: 'SMS' }))
      await said('Messages saved')
      await said(/^The school writes to you by SMS to 0971 234 567/)
      expect(screen.getByRole('radio', { name: 'SMS' })).toBeChecked()
      expect(server.asked(saveUserMessages).map(({ body }) => body)).toEqual([
        { channel: 'sms', reminders: true },
      ])
    })

    test('remind unless that is switched off; what could not be saved goes back', async () => {
      const { hands, card } = await open({ ...userMessages, remindersOffered: true })
      const reminder = await card.findByRole('switch')
      expect(reminder).toBeChecked()
      server.on(saveUserMessages, () => refusal(503, 'unavailable', 'The service is busy'))
      await hands.click(reminder)
      await said('Not Saved')
      await waitFor(() => expect(reminder).toBeChecked())
      server.on(getUserMessages, { ...userMessages, remindersOffered: true, reminders: false })
      server.on(saveUserMessages, { ...userMessages, remindersOffered: true, reminders: false })
      await hands.click(reminder)
      await said('Messages saved')
      await waitFor(() => expect(reminder).not.toBeChecked())
      expect(server.asked(saveUserMessages)[0]!.body).toEqual({ channel: 'mail', reminders: false })
    })

    test('can be read again where they could not be', async () => {
      server.on(getUserMessages, () => refusal(500, 'fault', 'Something went wrong'))
      const hands = openPortal('/', withPhone)
      await press(hands, 'View Profile')
      await said('Failed to fetch how the school writes to you')
      server.on(getUserMessages, userMessages)
      await press(hands, 'Try again')
      await said(/^The school writes to you by email/)
    })
  })

  describe('the phone of the profile', () => {
    test('is asked for where there is none', async () => {
      await open(bySms, { ...parent, phone: null } as never)
      await said('To get SMS, save your mobile number above, then verify it here.')
    })

    test('is verified by the six digits that are sent to it', async () => {
      server.on(verifyPhone, () => {
        server.on(getUserMessages, { ...bySms, codeUntil })
        return { message: 'We have sent you a code' }
      })
      const { hands, card } = await open(bySms)
      await press(hands, 'Send a Code')
      const field = await card.findByLabelText('Code')
      await said('The six digits of our SMS. They count until 07:10.')
      await hands.type(field, '12345')
      await press(hands, 'Verify Phone')
      await waitFor(() => expect(messageOf(field)).toBe('Enter the 6 digits'))
      const wrong = 'This code is not right. You can try 4 more times'
      server.on(confirmPhone, () => refusal(422, 'phone_code_wrong', wrong, { fields: { code: wrong } }))
      await hands.type(field, '6')
      await press(hands, 'Verify Phone')
      await waitFor(() => expect(messageOf(field)).toBe(wrong))
      expect(card.getAllByText(wrong)).toHaveLength(1)
      server.on(confirmPhone, () => {
        server.on(getUserMessages, { ...verified, goesTo: ['mail'] })
        return { message: 'Your phone is verified' }
      })
      server.on(currentUser, withPhone)
      await press(hands, 'Verify Phone')
      await said('Your phone is verified')
      await said('Verified')
      expect(screen.getByRole('radio', { name: 'Email and SMS' })).toBeEnabled()
      expect(server.asked(confirmPhone).at(-1)!.body).toEqual({ code: '123456' })
    })

    test('has another code sent when the tries or the minutes are over', async () => {
      const { hands, card } = await open({ ...bySms, codeUntil })
      const over = 'This code is wrong. Please ask for a new one'
      server.on(confirmPhone, () => {
        server.on(getUserMessages, bySms)
        return refusal(422, 'phone_code_wrong', over)
      })
      await hands.type(await card.findByLabelText('Code'), '123456')
      await press(hands, 'Verify Phone')
      expect(await card.findByRole('alert')).toHaveTextContent(over)
      await waitFor(() => expect(card.queryByLabelText('Code')).not.toBeInTheDocument())
      server.on(verifyPhone, () =>
        refusal(429, 'too_many_requests', 'Too many attempts.', { retryAfter: 1501 }),
      )
      await press(hands, 'Send a Code')
      await said('That was too often. You can try again in 26 minutes.')
      server.on(verifyPhone, () => refusal(409, 'sms_ceiling_reached', 'No more SMS can be sent today.'))
      await press(hands, 'Send a Code')
      await said('No more SMS can be sent today.')
    })
  })
})

describe('stop reminders', () => {
  beforeEach(() => {
    server = freshPortal()
  })

  test.each([
    ['nobody is signed in', null],
    ['somebody is', parent],
  ])('the link of a reminder stops reminders in one press, and by no look, where %s', async (_who, user) => {
    server.on(stopReminders, { message: 'You will get no more reminders' })
    const hands = openPortal('/stop/1a.0123456789abcdef', user)
    await said('Hill School reminds you on Thursday if no lunch is ordered for next week.')
    expect(server.asked(stopReminders)).toEqual([])
    await press(hands, 'Stop Reminders')
    await said('You will get no more reminders.')
    expect(server.asked(stopReminders).map(({ body }) => body)).toEqual([{ token: '1a.0123456789abcdef' }])
    expect(screen.getByRole('link', { name: 'To the portal' })).toHaveAttribute('href', '/')
  })

  test('a link that is unknown or too old says so', async () => {
    const message =
      'This link is not complete, or too old. You can stop reminders under Messages in your profile'
    server.on(stopReminders, () => refusal(404, 'stop_link_unknown', message))
    const hands = openPortal('/stop/1a.old', null)
    await press(hands, 'Stop Reminders')
    expect(await screen.findByRole('alert')).toHaveTextContent(`Reminders are not stopped${message}`)
    expect(screen.queryByRole('button', { name: 'Stop Reminders' })).not.toBeInTheDocument()
  })

  test('where no answer comes it can be pressed again', async () => {
    server.on(stopReminders, () => {
      throw new TypeError('Failed to fetch')
    })
    const hands = openPortal('/stop/1a.0123456789abcdef', null)
    await press(hands, 'Stop Reminders')
    await said('No answer came. Please check your connection and try again.')
    server.on(stopReminders, { message: 'You will get no more reminders' })
    await press(hands, 'Stop Reminders')
    await said('You will get no more reminders.')
  })
})

describe('support', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(getCommunication, { supportEmail: 'help@school.example', whatsappNumber: '' })
  })

  const open = async (button: string) => {
    const hands = openPortal('/', parent)
    await press(hands, button)
    const dialog = await screen.findByRole('dialog')
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement))
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
      act(() => screen.getByRole('tab', { name: 'By email' }).focus())
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

    test('needs a name, a real email address', async () => {
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
})
