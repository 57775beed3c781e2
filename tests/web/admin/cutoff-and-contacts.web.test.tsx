import { screen } from '@testing-library/react'
import { getCutoff, saveCutoff } from '#contracts/cycles'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { getCommunication, saveCommunication } from '#contracts/identity'
import { fakeServer, FakeRefusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'

let server: FakeServer
const contacts = { supportEmail: 'lunch@example.com', whatsappNumber: '+260 97 1' }
const rules = {
  cancelUntil: 'hour' as const,
  lateRemedy: 'credit' as const,
  absence: 'none' as const,
  absencePercent: 100,
  lowPortions: 10,
}
const unanswered = () => {
  throw new FakeRefusal(502, null)
}
beforeEach(() => {
  server = fakeServer()
  server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0 })
  server.on(saveCutoff, { cutoffHour: 9, cutoffMinute: 5 })
  server.on(getOrderingRules, rules)
  server.on(getCommunication, contacts)
  server.on(saveCommunication, contacts)
})
afterEach(forgetToasts)

const open = (tab: string) => openConsole(`/settings?tab=${tab}`, adminWith('settings'))
type Hands = ReturnType<typeof open>
const retype = async (user: Hands, label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await user.clear(field)
  if (text) await user.type(field, text)
}

const save = (user: Hands) => user.click(screen.getByRole('button', { name: /^Save C/ }))

const saveRules = (user: Hands) => user.click(screen.getByRole('button', { name: 'Save Ordering Rules' }))

describe('the cutoff', () => {
  test('is hour and minute, written out, and saved', async () => {
    const user = open('order-settings')
    await retype(user, 'Hour', '9')
    await retype(user, 'Minute', '5')
    expect(screen.getByText(/^From 09:05 on/)).toBeInTheDocument()
    await save(user)
    expect(await screen.findByText('Cutoff time settings saved successfully')).toBeInTheDocument()
    expect(server.asked(saveCutoff)[0]?.body).toEqual({ hour: 9, minute: 5 })
  })

  test('has an hour up to 23 and a minute up to 59', async () => {
    const user = open('order-settings')
    await retype(user, 'Hour', '24')
    await retype(user, 'Minute', '')
    await save(user)
    expect(await screen.findByText('Hour must be between 0 and 23')).toBeInTheDocument()
    expect(screen.getByText('Minute must be between 0 and 59')).toBeInTheDocument()
    expect(server.asked(saveCutoff)).toEqual([])
  })

  test('that could not be saved says so', async () => {
    server.on(saveCutoff, unanswered)
    const user = open('order-settings')
    await retype(user, 'Hour', '9')
    await save(user)
    expect(await screen.findByText('Failed to save cutoff time')).toBeInTheDocument()
  })

  test('that could not be read says so', async () => {
    server.on(getCutoff, unanswered)
    open('order-settings')
    expect(await screen.findByText('Failed to fetch cutoff time settings')).toBeInTheDocument()
  })
})

describe('communication', () => {
  test('is an e-mail address, which may be empty, and a number with its country code', async () => {
    const user = open('communication')
    expect(await screen.findByDisplayValue('lunch@example.com')).toBeInTheDocument()
    expect(screen.getByText(/^With the country code/)).toBeInTheDocument()
    await retype(user, 'Support email', '')
    await retype(user, 'WhatsApp number', '+260 96 2')
    await save(user)
    expect(await screen.findByText('Communication settings saved successfully')).toBeInTheDocument()
    expect(server.asked(saveCommunication)[0]?.body).toEqual({
      supportEmail: '',
      whatsappNumber: '+260 96 2',
    })
  })

  test('takes no address that is none', async () => {
    const user = open('communication')
    await retype(user, 'Support email', 'lunch')
    await save(user)
    expect(await screen.findByText('Please enter a valid email address')).toBeInTheDocument()
    expect(server.asked(saveCommunication)).toEqual([])
  })

  test('that could not be saved says so', async () => {
    server.on(saveCommunication, unanswered)
    const user = open('communication')
    await retype(user, 'Support email', 'a@example.com')
    await save(user)
    expect(await screen.findByText('Failed to save communication settings')).toBeInTheDocument()
  })

  test('that could not be read says so', async () => {
    server.on(getCommunication, unanswered)
    open('communication')
    expect(await screen.findByText('Failed to fetch communication settings')).toBeInTheDocument()
  })
})

describe('the ordering rules', () => {
  test('are shown as they are, and saved together', async () => {
    const changed = { ...rules, cancelUntil: 'cutoff', lateRemedy: 'refund', absence: 'credit' } as const
    server.on(saveOrderingRules, { ...changed, absencePercent: 50, lowPortions: 5 })
    const user = open('order-settings')
    const until = await screen.findByLabelText('Orders can be cancelled and changed')
    expect(until).toHaveValue('hour')
    expect(screen.getByText('Counts once orders can be cancelled until the cutoff.')).toBeInTheDocument()
    await user.selectOptions(until, 'Until the cutoff of their day')
    await user.selectOptions(screen.getByLabelText(/^Late cancellations are paid back as/), 'Refund')
    await user.selectOptions(
      screen.getByLabelText(/^A paid meal of a child who is ill/),
      'Gives family credit',
    )
    await retype(user, 'Share of the price (%)', '50')
    await retype(user, 'Show how many are left below', '5')
    expect(screen.queryByText(/^Counts once/)).not.toBeInTheDocument()
    await saveRules(user)
    expect(await screen.findByText('Ordering rules saved successfully')).toBeInTheDocument()
    expect(server.asked(saveOrderingRules)[0]?.body).toEqual({
      ...changed,
      absencePercent: 50,
      lowPortions: 5,
    })
  })

  test('have a percent up to 100 and portions up to 1,000', async () => {
    const user = open('order-settings')
    await retype(user, 'Share of the price (%)', '101')
    await retype(user, 'Show how many are left below', '')
    await saveRules(user)
    expect(await screen.findByText('Percent must be a whole number from 0 to 100')).toBeInTheDocument()
    expect(screen.getByText('Portions must be a whole number from 0 to 1,000')).toBeInTheDocument()
  })

  test('that could not be saved say so', async () => {
    server.on(saveOrderingRules, unanswered)
    const user = open('order-settings')
    await screen.findByLabelText('Share of the price (%)')
    await saveRules(user)
    expect(await screen.findByText('Failed to save ordering rules')).toBeInTheDocument()
  })

  test('that could not be read say so', async () => {
    server.on(getOrderingRules, unanswered)
    open('order-settings')
    expect(await screen.findByText('Failed to fetch ordering rules')).toBeInTheDocument()
  })
})
