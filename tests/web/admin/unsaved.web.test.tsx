import { screen, waitFor, within } from '@testing-library/react'
import { getStaffCode } from '#contracts/accounts'
import { getCutoff, previewCutoff, saveCutoff } from '#contracts/cycles'
import {
  foundAllergens,
  getAllergens,
  getAllergyRule,
  saveAllergens,
  saveAllergyRule,
  standardAllergens,
} from '#contracts/health'
import { getCommunication, getSecurity, saveCommunication } from '#contracts/identity'
import { listDiscountCodes } from '#contracts/order-reports'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { listFailedOrders } from '#contracts/payments-console'
import { getPrivacySettings, savePrivacySettings } from '#contracts/privacy'
import { type FakeServer, fakeServer } from './fake-server'
import { forgetToasts, openConsole, shownAddress, superadmin } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
afterEach(forgetToasts)

describe('settings that are not saved', () => {
  const rules = {
    cancelUntil: 'cutoff',
    lateRemedy: 'credit',
    absence: 'none',
    absencePercent: 100,
    lowPortions: 5,
    plans: false,
    buyingMargin: 5,
  } as const

  beforeEach(() => {
    server = fakeServer()
    server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0, daysBefore: 0, schoolDaysOnly: true })
    server.on(previewCutoff, { closes: [] })
    server.on(saveCutoff, ({ body }) => {
      const { hour, minute } = body as { hour: number; minute: number }
      return { cutoffHour: hour, cutoffMinute: minute, daysBefore: 0, schoolDaysOnly: true }
    })
    server.on(getOrderingRules, rules)
    server.on(saveOrderingRules, ({ body }) => body as typeof rules)
    server.on(getAllergyRule, { rule: 'block' })
    server.on(saveAllergyRule, ({ body }) => body as { rule: 'warn' })
    server.on(getAllergens, { allergens: [...standardAllergens] })
    server.on(saveAllergens, ({ body }) => {
      const list = { allergens: [...standardAllergens, ...(body as { add: string[] }).add] }
      server.on(getAllergens, list)
      return list
    })
    server.on(foundAllergens, { found: [] })
    server.on(getCommunication, { supportEmail: '', whatsappNumber: '' })
    server.on(saveCommunication, ({ body }) => body as { supportEmail: string; whatsappNumber: string })
    server.on(getPrivacySettings, { dataProtectionOfficer: '' })
    server.on(savePrivacySettings, ({ body }) => body as { dataProtectionOfficer: string })
    server.on(getSecurity, { requireSecondFactor: false, maxChildren: 6, maxUnpaidMeals: 10 })
    server.on(getStaffCode, { staffCode: '' })
    server.on(listDiscountCodes, { data: [], metadata: { ...onePage, total: 0 } })
  })

  type Hands = ReturnType<typeof openConsole>
  const openTab = (key: string) => openConsole(`/settings?tab=${key}`, superadmin)
  const leave = async (hands: Hands) => hands.click(screen.getByRole('tab', { name: 'Discount Codes' }))
  const question = () => screen.findByRole('dialog', { name: 'Leave without saving?' })
  const answer = async (hands: Hands, name: string) =>
    hands.click(within(await question()).getByRole('button', { name }))
  const isAskedByTheBrowser = () => {
    const closing = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(closing)
    return closing.defaultPrevented
  }

  const forms: [tab: string, label: string, save: string | null][] = [
    ['order-settings', 'Hour', 'Save Cutoff Time'],
    ['order-settings', 'Share of the price (%)', 'Save Ordering Rules'],
    ['order-settings', "The school's own allergens", 'Save Allergens'],
    ['communication', 'WhatsApp number', 'Save Communication Settings'],
    ['communication', 'Data protection officer', 'Save Privacy Settings'],
    ['security', 'Staff code', null],
    ['discount-codes', 'Code', null],
  ]

  test.each(forms)('%s, %s: leaving the tab asks first', async (tab, label) => {
    const hands = openTab(tab)
    const field = await screen.findByLabelText(label)
    await hands.clear(field)
    await hands.type(field, '7')
    await hands.click(screen.getByRole('tab', { name: 'Communication' === tab ? 'Security' : 'Messages' }))
    await answer(hands, 'Stay Here')
    expect(field).toHaveDisplayValue('7')
    expect(field).toBeInTheDocument()
  })

  test.each(forms.filter(([, , save]) => save !== null))(
    '%s, %s: nothing is asked once it is saved',
    async (tab, label, save) => {
      const hands = openTab(tab)
      const field = await screen.findByLabelText(label)
      await hands.clear(field)
      await hands.type(field, '7')
      expect(isAskedByTheBrowser()).toBe(true)
      await hands.click(screen.getByRole('button', { name: save! }))
      await waitFor(() => expect(isAskedByTheBrowser()).toBe(false))
      await leave(hands)
      expect(await screen.findByText('No discount codes yet')).toBeInTheDocument()
    },
  )

  test('a tab is left when the answer says so, and an untouched one at once', async () => {
    const hands = openTab('communication')
    await hands.type(await screen.findByLabelText('WhatsApp number'), '0977')
    await leave(hands)
    await answer(hands, 'Leave Without Saving')
    expect(await screen.findByText('No discount codes yet')).toBeInTheDocument()
    await hands.click(screen.getByRole('tab', { name: 'Communication' }))
    expect(await screen.findByLabelText('WhatsApp number')).toHaveDisplayValue('')
    await leave(hands)
    expect(await screen.findByText('No discount codes yet')).toBeInTheDocument()
  })

  test('a change that was taken back is none', async () => {
    const hands = openTab('communication')
    await hands.type(await screen.findByLabelText('WhatsApp number'), '0{Backspace}')
    await leave(hands)
    expect(await screen.findByText('No discount codes yet')).toBeInTheDocument()
  })

  test.each(['link', 'button'] as const)('the %s of the frame asks as well', async (role) => {
    const name = role === 'link' ? 'Order Recovery' : 'Logout'
    const hands = openTab('communication')
    await hands.type(await screen.findByLabelText('WhatsApp number'), '0977')
    await hands.click(screen.getByRole(role, { name }))
    await answer(hands, 'Stay Here')
    expect(shownAddress()).toBe('/settings?tab=communication')
    expect(screen.getByLabelText('WhatsApp number')).toHaveDisplayValue('0977')
  })

  test('a section is opened by its link when the answer says so', async () => {
    server.on(listFailedOrders, { data: [], metadata: { ...onePage, total: 0 } })
    const hands = openTab('communication')
    await hands.type(await screen.findByLabelText('WhatsApp number'), '0977')
    await hands.click(screen.getByRole('link', { name: 'Order Recovery' }))
    await answer(hands, 'Leave Without Saving')
    await waitFor(() => expect(shownAddress()).toBe('/?section=order_recovery'))
    await waitFor(() => expect(isAskedByTheBrowser()).toBe(false))
  })
})
