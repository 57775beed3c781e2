import { screen, waitFor } from '@testing-library/react'
import {
  getMessageSettings,
  saveMessageSettings,
  type MessageSettings,
  type ShownMessageSettings,
} from '#contracts/messages'
import { freshPortal, messageOf, openPortal, press } from '../open-portal'
import type { FakeServer } from './fake-server'
import { adminWith, forgetToasts } from './open-console'

let server: FakeServer
const off: ShownMessageSettings = {
  sms: false,
  dailyCeiling: null,
  otherCountries: false,
  orderWithPhone: false,
  reminders: false,
  smsAvailable: true,
  sentToday: 0,
  sentIn30Days: 0,
}
beforeEach(() => {
  server = freshPortal()
  server.on(saveMessageSettings, ({ body }) => ({ ...off, ...(body as MessageSettings) }))
})
afterEach(forgetToasts)

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
const open = (shown: ShownMessageSettings) => {
  server.on(getMessageSettings, shown)
  return openPortal('/settings?tab=messages', adminWith('settings'))
}

test('all is off until it is set; what is set is sent together', async () => {
  const hands = open(off)
  for (const name of [/^Send SMS(?! to)/, /^Order with a phone alone/, /^Remind families/]) {
    const box = await screen.findByRole('checkbox', { name })
    expect(box).not.toBeChecked()
    await hands.click(box)
  }
  await hands.type(screen.getByLabelText('Maximum SMS per day'), '200')
  await press(hands, 'Save Message Settings')
  await said('Message settings saved successfully')
  expect(server.asked(saveMessageSettings).map(({ body }) => body)).toEqual([
    { sms: true, dailyCeiling: 200, otherCountries: false, orderWithPhone: true, reminders: true },
  ])
})

test('switching SMS on asks for a ceiling, and other countries are a choice of their own', async () => {
  const hands = open(off)
  await hands.click(await screen.findByRole('checkbox', { name: /^Send SMS(?! to)/ }))
  await press(hands, 'Save Message Settings')
  const ceiling = screen.getByLabelText('Maximum SMS per day')
  await waitFor(() => expect(messageOf(ceiling)).toBe('Enter how many SMS a day the school pays for at most'))
  expect(server.asked(saveMessageSettings)).toEqual([])
  await hands.type(ceiling, '50')
  await hands.click(screen.getByRole('checkbox', { name: /^Send SMS to other countries/ }))
  await press(hands, 'Save Message Settings')
  await said('Message settings saved successfully')
  expect(server.asked(saveMessageSettings).at(-1)!.body).toMatchObject({
    dailyCeiling: 50,
    otherCountries: true,
  })
})

test('says what SMS cost: how many were sent, and how many the ceiling allows', async () => {
  const hands = open({ ...off, sms: true, sentToday: 12, sentIn30Days: 340 })
  await said(/Sent today: 12, in the last 30 days: 340\.$/)
  const ceiling = screen.getByLabelText('Maximum SMS per day')
  await hands.type(ceiling, '200')
  await said(/With this ceiling 30 days cost at most the price of 6,000 SMS\.$/)
  await hands.clear(ceiling)
  await said(/in the last 30 days: 340\.$/)
  await hands.type(ceiling, '0')
  await press(hands, 'Save Message Settings')
  await waitFor(() => expect(messageOf(ceiling)).toBe('Enter a whole number from 1 to 100,000'))
  await hands.clear(ceiling)
  await hands.type(ceiling, '2.5')
  await press(hands, 'Save Message Settings')
  await waitFor(() => expect(messageOf(ceiling)).toBe('Enter a whole number from 1 to 100,000'))
  await hands.clear(ceiling)
  await hands.click(screen.getByRole('checkbox', { name: /^Send SMS(?! to)/ }))
  await press(hands, 'Save Message Settings')
  await said('Message settings saved successfully')
  expect(server.asked(saveMessageSettings).at(-1)!.body).toMatchObject({ sms: false, dailyCeiling: null })
})

test('without a gateway SMS cannot be switched on, and it says why', async () => {
  open({ ...off, smsAvailable: false })
  await said('No SMS gateway is set up')
  expect(screen.getByRole('checkbox', { name: /^Send SMS(?! to)/ })).toBeDisabled()
  expect(screen.getByRole('checkbox', { name: /^Remind families/ })).toBeEnabled()
})
