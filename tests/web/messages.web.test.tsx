import { screen, waitFor, within } from '@testing-library/react'
import { currentUser, listSessions } from '#contracts/identity'
import {
  confirmPhone,
  getUserMessages,
  saveUserMessages,
  verifyPhone,
  type ShownMessages,
  type UserMessages,
} from '#contracts/messages'
import { refusal, type FakeServer } from './admin/fake-server'
import { forgetToasts } from './admin/open-console'
import { freshPortal, messageOf, openPortal, press } from './open-portal'
import { parent, userMessages } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(listSessions, [])
})
afterEach(forgetToasts)

const withPhone = { ...parent, phone: '0971 234 567' }
const bySms: ShownMessages = { ...userMessages, smsOffered: true }
const verified: ShownMessages = { ...bySms, phoneVerified: true }
const codeUntil = '2026-09-16T05:10:00.000Z'

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()

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
    await said('Needed before you can place an order, unless you verify your phone.')
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
    const over = 'This code is not right. Please ask for a new one'
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
