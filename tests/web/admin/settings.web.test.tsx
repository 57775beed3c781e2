import { screen, waitFor, within } from '@testing-library/react'
import {
  type AccountSettings,
  type BooksSettings,
  bookAccounts,
  getAccounts,
  getBooksSettings,
  saveBooksSettings,
} from '#contracts/books'
import { getCutoff } from '#contracts/cycles'
import {
  foundAllergens,
  getAllergens,
  getAllergyRule,
  saveAllergens,
  saveAllergyRule,
  standardAllergens,
} from '#contracts/health'
import {
  type MessageSettings,
  type ShownMessageSettings,
  getMessageSettings,
  saveMessageSettings,
} from '#contracts/messages'
import { listDiscountCodes } from '#contracts/order-reports'
import { type PaymentBypass, getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { freshPortal, messageOf, openPortal, press } from '../open-portal'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
afterEach(forgetToasts)

describe('settings', () => {
  const office = adminWith('settings')

  const off: PaymentBypass = {
    enabled: false,
    beside: false,
    prompt: false,
    unpaidUntil: 'never',
    airtelMoney: { name: '', number: '' },
    mtnMoney: { name: '', number: '' },
    bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
  }
  const on: PaymentBypass = {
    ...off,
    enabled: true,
    beside: false,
    prompt: false,
    unpaidUntil: 'never',
    airtelMoney: { name: 'School', number: '0977 1' },
  }

  const accounts: AccountSettings = {
    program: 'csv',
    codes: Object.fromEntries(bookAccounts.map((account) => [account, ''])) as AccountSettings['codes'],
    taxCode: '',
  }

  const books: BooksSettings = {
    tpin: '',
    address: '',
    vatPercent: null,
    refundApprovalAbove: null,
    cardRefunds: false,
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0, daysBefore: 0, schoolDaysOnly: true })
    server.on(getPaymentBypass, off)
    server.on(getBooksSettings, books)
    server.on(getAccounts, accounts)
    server.on(saveBooksSettings, ({ body }) => body as BooksSettings)
    server.on(listDiscountCodes, { data: [], metadata: { ...onePage, total: 0 } })
    server.on(savePaymentBypass, ({ body }) => body as PaymentBypass)
  })

  const openPayments = () => openConsole('/settings?tab=payment-settings', office)
  const save = async (user: ReturnType<typeof openConsole>) =>
    user.click(await screen.findByRole('button', { name: 'Save Payment Settings' }))

  describe('the tabs', () => {
    test.each(['/settings', '/?section=settings'])('at %s start with the discount codes', async (address) => {
      openConsole(address, office)
      expect(await screen.findByText('No discount codes yet')).toBeInTheDocument()
      expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
        'Discount Codes',
        'Order Settings',
        'Payment Settings',
        'Communication',
        'Messages',
        'Security',
      ])
    })

    test('the chosen one is in the address', async () => {
      const user = openConsole('/settings', office)
      await user.click(await screen.findByRole('tab', { name: 'Payment Settings' }))
      expect(await screen.findByRole('radiogroup', { name: 'Alternative payments' })).toBeInTheDocument()
      expect(shownAddress()).toBe('/settings?tab=payment-settings')
      await user.click(screen.getByRole('tab', { name: 'Discount Codes' }))
      expect(shownAddress()).toBe('/settings')
    })
  })

  describe('alternative payments', () => {
    const place = (name: string) => screen.findByRole('radio', { name })

    test.each([
      [{ enabled: false, beside: false }, 'Off'],
      [{ enabled: false, beside: true }, 'Beside the card'],
      [{ enabled: true, beside: false }, 'Instead of the card'],
      [{ enabled: true, beside: true }, 'Instead of the card'],
    ])('%j is shown as one of three choices: %s', async (saved, name) => {
      server.on(getPaymentBypass, { ...off, ...saved })
      openPayments()
      expect(await place(name)).toBeChecked()
      expect(screen.getAllByRole('radio', { checked: true })).toHaveLength(1)
    })

    test('details are shown only when enabled', async () => {
      const user = openPayments()
      expect(await place('Off')).toBeChecked()
      expect(screen.queryByText('Airtel Money')).not.toBeInTheDocument()
      await user.click(await place('Instead of the card'))
      for (const title of ['Airtel Money', 'MTN Money', 'Bank Transfer'])
        expect(screen.getByRole('group', { name: title })).toBeInTheDocument()
      for (const label of ['Bank name', 'Account number', 'Branch name', 'SWIFT code'])
        expect(screen.getByLabelText(label)).toBeInTheDocument()
    })

    test('are switched on and saved with what was typed', async () => {
      const user = openPayments()
      await user.click(await place('Instead of the card'))
      await user.type(screen.getAllByLabelText('Number')[1]!, ' 0966 1 ')
      await user.type(screen.getByLabelText('SWIFT code'), 'ZNCO')
      await save(user)
      expect(await screen.findByText('Payment bypass settings saved successfully')).toBeInTheDocument()
      expect(server.asked(savePaymentBypass)[0]?.body).toEqual({
        ...off,
        enabled: true,
        mtnMoney: { name: '', number: '0966 1' },
        bankTransfer: { ...off.bankTransfer, swiftCode: 'ZNCO' },
      })
    })

    test('stand beside the card, with the same details', async () => {
      const user = openPayments()
      await user.click(await place('Beside the card'))
      expect(screen.getByText('Each way is offered once you give its number')).toBeInTheDocument()
      await user.type(screen.getAllByLabelText('Number')[0]!, '0977 1')
      await save(user)
      await waitFor(() =>
        expect(server.asked(savePaymentBypass)[0]?.body).toEqual({
          ...off,
          beside: true,
          prompt: false,
          airtelMoney: { name: '', number: '0977 1' },
        }),
      )
    })

    const lapsing = 'Cancel meals that are not paid by 08:00 on the day of the meal'

    test('may let unpaid meals lapse, and keep them again', async () => {
      const user = openPayments()
      await user.click(await place('Beside the card'))
      await user.click(screen.getByRole('switch', { name: lapsing }))
      expect(screen.getByText(/Its family is told a day before/)).toBeInTheDocument()
      await save(user)
      await waitFor(() =>
        expect(server.asked(savePaymentBypass)[0]?.body).toEqual({
          ...off,
          beside: true,
          prompt: false,
          unpaidUntil: 'cutoff',
        }),
      )
      await user.click(screen.getByRole('switch', { name: lapsing }))
      await save(user)
      await waitFor(() => expect(server.asked(savePaymentBypass)[1]?.body).toEqual({ ...off, beside: true }))
    })

    test('that are off show lapsing only while it is still on', async () => {
      server.on(getPaymentBypass, { ...off, unpaidUntil: 'cutoff' })
      const user = openPayments()
      await user.click(await screen.findByRole('switch', { name: lapsing }))
      expect(screen.queryByRole('switch', { name: lapsing })).not.toBeInTheDocument()
    })

    test('switched off, their details are kept', async () => {
      server.on(getPaymentBypass, on)
      const user = openPayments()
      expect(await screen.findByDisplayValue('0977 1')).toBeInTheDocument()
      await user.click(await place('Off'))
      await save(user)
      await waitFor(() => expect(server.asked(savePaymentBypass)[0]?.body).toEqual({ ...on, enabled: false }))
    })

    test('without any number to pay to, a warning says so', async () => {
      server.on(getPaymentBypass, { ...on, airtelMoney: { name: 'School', number: '' } })
      const user = openPayments()
      expect(await screen.findByText('No number to pay to')).toBeInTheDocument()
      await user.type(screen.getByLabelText('Account number'), '1')
      expect(screen.queryByText('No number to pay to')).not.toBeInTheDocument()
    })

    test('that could not be read say so', async () => {
      server.on(getPaymentBypass, () => refusal(503, 'unavailable', 'The database is away'))
      openPayments()
      expect(await screen.findByText('Failed to fetch payment bypass settings')).toBeInTheDocument()
    })

    test('another number needs the password, which is asked for after Save and beside no other field', async () => {
      server.on(getPaymentBypass, on)
      server.on(savePaymentBypass, ({ body }) => {
        const { currentPassword, ...settings } = body as PaymentBypass & { currentPassword?: string }
        if (currentPassword === 'Baobab-2026') return settings
        const why = currentPassword ? 'Please confirm with your password' : 'Current password is required'
        return refusal(403, 'wrong_current_password', why, { fields: { currentPassword: why } })
      })
      const hands = openPayments()
      await hands.type(await screen.findByDisplayValue('0977 1'), '2')
      expect(document.querySelector('input[type="password"]')).toBeNull()
      await save(hands)
      const dialog = within(await screen.findByRole('dialog', { name: 'Your Password, Please' }))
      expect(dialog.queryByRole('alert')).not.toBeInTheDocument()
      const username = dialog.getByLabelText('Username')
      expect(username).toHaveAttribute('autocomplete', 'username')
      expect(username).toHaveAttribute('readonly')
      expect(username).toHaveValue('grace')
      await hands.type(dialog.getByLabelText('Your password'), 'Mopane')
      await hands.click(dialog.getByRole('button', { name: 'Save' }))
      expect(await dialog.findByRole('alert')).toHaveTextContent('Please confirm with your password')
      await hands.clear(dialog.getByLabelText('Your password'))
      await hands.type(dialog.getByLabelText('Your password'), 'Baobab-2026')
      await hands.click(dialog.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText('Payment bypass settings saved successfully')).toBeInTheDocument()
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
      expect(server.asked(savePaymentBypass).at(-1)?.body).toMatchObject({
        airtelMoney: { number: '0977 12' },
        currentPassword: 'Baobab-2026',
      })
      await save(hands)
      await waitFor(() => expect(server.asked(savePaymentBypass)).toHaveLength(4))
      expect(server.asked(savePaymentBypass).at(-1)?.body).not.toHaveProperty('currentPassword')
    })

    test('a form whose password question is closed keeps what was typed', async () => {
      server.on(getPaymentBypass, on)
      server.on(savePaymentBypass, () =>
        refusal(403, 'wrong_current_password', 'Required', { fields: { currentPassword: 'Required' } }),
      )
      const hands = openPayments()
      await hands.type(await screen.findByDisplayValue('0977 1'), '2')
      await save(hands)
      await hands.click(await screen.findByRole('button', { name: 'Cancel' }))
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
      expect(screen.getByDisplayValue('0977 12')).toBeInTheDocument()
    })

    test.each([
      [
        'the words of the server',
        () => refusal(503, 'unavailable', 'The database is away'),
        'The database is away',
      ],
      [
        'its own words without them',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to save payment bypass settings',
      ],
    ])('that could not be saved show %s', async (_name, answer, text) => {
      server.on(getPaymentBypass, on)
      server.on(savePaymentBypass, answer)
      const user = openPayments()
      await save(user)
      expect(await screen.findByText(text)).toBeInTheDocument()
      expect(screen.getByText('Error', { selector: '[data-state] p' })).toBeInTheDocument()
    })
  })

  describe('receipts and refunds', () => {
    test('have what stands on receipts and how money goes back; an empty number is none', async () => {
      const hands = openPayments()
      await hands.type(await screen.findByLabelText('TPIN'), '1001234567')
      await hands.type(screen.getByLabelText('Address'), 'Church Road')
      await hands.type(screen.getByLabelText('VAT included in prices (%)'), '16')
      await hands.click(screen.getByRole('switch', { name: 'Refunds can be sent back to the card' }))
      await hands.click(screen.getByRole('button', { name: 'Save Receipts and Refunds' }))
      const saved = {
        ...books,
        tpin: '1001234567',
        address: 'Church Road',
        vatPercent: 16,
        cardRefunds: true,
      }
      await waitFor(() => expect(server.asked(saveBooksSettings)[0]?.body).toEqual(saved))
      expect(await screen.findByText('Receipts and refunds saved successfully')).toBeInTheDocument()
    })

    test('ask for the password of whoever lets more go out by one person', async () => {
      server.on(getBooksSettings, { ...books, refundApprovalAbove: 50 })
      server.on(saveBooksSettings, ({ body }) => {
        const { currentPassword, ...settings } = body as BooksSettings & { currentPassword?: string }
        if (currentPassword === 'Baobab-2026') return settings
        const why = currentPassword ? 'Please confirm with your password' : 'Current password is required'
        return refusal(currentPassword ? 403 : 422, 'wrong_current_password', why, {
          fields: { currentPassword: why },
        })
      })
      const hands = openPayments()
      await hands.clear(await screen.findByLabelText('Second approval needed above (K)'))
      await hands.click(screen.getByRole('button', { name: 'Save Receipts and Refunds' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Your Password, Please' }))
      for (const password of ['Mopane', 'Baobab-2026']) {
        await hands.clear(dialog.getByLabelText('Your password'))
        await hands.type(dialog.getByLabelText('Your password'), password)
        await hands.click(dialog.getByRole('button', { name: 'Save' }))
        if (password === 'Mopane')
          expect(await dialog.findByRole('alert')).toHaveTextContent('Please confirm with your password')
      }
      expect(await screen.findByText('Receipts and refunds saved successfully')).toBeInTheDocument()
      expect(server.asked(saveBooksSettings).at(-1)?.body).toMatchObject({
        refundApprovalAbove: null,
        currentPassword: 'Baobab-2026',
      })
    })

    test('say what is wrong with a number', async () => {
      const hands = openPayments()
      await hands.type(await screen.findByLabelText('VAT included in prices (%)'), '101')
      await hands.click(screen.getByRole('button', { name: 'Save Receipts and Refunds' }))
      expect(await screen.findByText(/VAT must be a percentage above 0 and up to 100/)).toBeInTheDocument()
      expect(server.asked(saveBooksSettings)).toEqual([])
    })
  })
})

describe('message settings', () => {
  const off: ShownMessageSettings = {
    sms: false,
    dailyCeiling: null,
    otherCountries: false,
    orderWithPhone: false,
    reminders: false,
    dailyReport: [],
    headReport: [],
    smsAvailable: true,
    sentToday: 0,
    sentIn30Days: 0,
    version: 'filled',
  }
  beforeEach(() => {
    server = freshPortal()
    server.on(saveMessageSettings, ({ body }) => ({ ...off, ...(body as MessageSettings) }))
  })

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
      {
        sms: true,
        dailyCeiling: 200,
        otherCountries: false,
        orderWithPhone: true,
        reminders: true,
        dailyReport: [],
        headReport: [],
      },
    ])
  })

  test('switching SMS on asks for a ceiling, and other countries are a choice of their own', async () => {
    const hands = open(off)
    await hands.click(await screen.findByRole('checkbox', { name: /^Send SMS(?! to)/ }))
    await press(hands, 'Save Message Settings')
    const ceiling = screen.getByLabelText('Maximum SMS per day')
    await waitFor(() => expect(messageOf(ceiling)).toBe('Enter the most SMS the school pays for per day'))
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

  test('the daily report goes to the addresses of its lines; one that is none is named', async () => {
    const hands = open({ ...off, dailyReport: ['bursar@example.com'] })
    const addresses = await screen.findByLabelText('Daily report to')
    expect(addresses).toHaveValue('bursar@example.com')
    await hands.type(addresses, '\nhead')
    await press(hands, 'Save Message Settings')
    await waitFor(() => expect(messageOf(addresses)).toBe('Please enter valid email addresses'))
    await hands.type(addresses, '@example.com')
    await press(hands, 'Save Message Settings')
    await said('Message settings saved successfully')
    expect(server.asked(saveMessageSettings).at(-1)!.body).toMatchObject({
      dailyReport: ['bursar@example.com', 'head@example.com'],
    })
    expect(addresses).toHaveValue('bursar@example.com\nhead@example.com')
  })

  test('the report of the week has addresses of its own', async () => {
    const hands = open({ ...off, dailyReport: ['bursar@example.com'] })
    await hands.type(await screen.findByLabelText('Report of the week to'), 'head@example.com')
    await press(hands, 'Save Message Settings')
    await said('Message settings saved successfully')
    expect(server.asked(saveMessageSettings).at(-1)!.body).toMatchObject({
      dailyReport: ['bursar@example.com'],
      headReport: ['head@example.com'],
    })
  })

  test('without a gateway SMS cannot be switched on, and it says why', async () => {
    open({ ...off, smsAvailable: false })
    await said('No SMS gateway is set up')
    expect(screen.getByRole('checkbox', { name: /^Send SMS(?! to)/ })).toBeDisabled()
    expect(screen.getByRole('checkbox', { name: /^Remind families/ })).toBeEnabled()
  })
})

describe('allergy settings', () => {
  beforeEach(() => {
    server = fakeServer()
    server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0, daysBefore: 0, schoolDaysOnly: true })
    server.on(getAllergyRule, { rule: 'block' })
    server.on(getAllergens, { allergens: [...standardAllergens, 'Kiwi'] })
    server.on(foundAllergens, { found: [] })
  })

  const open = () => openConsole('/settings?tab=order-settings', adminWith('settings'))

  test('the rule for meals with an allergen of the child is chosen', async () => {
    server.on(saveAllergyRule, { rule: 'warn' })
    const hands = open()
    const rule = await screen.findByLabelText('A meal with an allergen of the child, or against its diet')
    expect(rule).toHaveDisplayValue('Cannot be ordered')
    await hands.selectOptions(rule, 'Can be ordered after a warning')
    await hands.click(screen.getByRole('button', { name: 'Save Allergy Rule' }))
    expect(await screen.findByText('Allergy rule saved successfully')).toBeInTheDocument()
    expect(server.asked(saveAllergyRule).map(({ body }) => body)).toEqual([{ rule: 'warn' }])
  })

  const changed = { by: 'thandiwe', at: '2026-09-16T08:42:00.000Z', version: 'theirs' }
  const meanwhile = (fields: object[]) => () =>
    refusal(409, 'changed_meanwhile', 'Changed', { changed: { ...changed, fields } })

  test('a form that is older than the record says who changed what, keeps what was typed, and saves over it when told to', async () => {
    server.on(saveAllergyRule, meanwhile([{ field: 'rule', now: 'block', yours: 'warn' }]))
    const hands = open()
    const rule = await screen.findByLabelText('A meal with an allergen of the child, or against its diet')
    await hands.selectOptions(rule, 'Can be ordered after a warning')
    await hands.click(screen.getByRole('button', { name: 'Save Allergy Rule' }))
    expect(await screen.findByText(/^thandiwe changed this on .* Nothing was saved\.$/)).toBeInTheDocument()
    expect(screen.getByText('Rule: now block, yours warn')).toBeInTheDocument()
    expect(rule).toHaveDisplayValue('Can be ordered after a warning')
    server.on(saveAllergyRule, { rule: 'warn' })
    await hands.click(screen.getByRole('button', { name: 'Save Mine Instead' }))
    expect(await screen.findByText('Allergy rule saved successfully')).toBeInTheDocument()
    expect(server.asked(saveAllergyRule)[0]?.body).toEqual({ rule: 'warn', version: 'theirs' })
    expect(screen.queryByText(/thandiwe changed this/)).not.toBeInTheDocument()
  })

  test('a list that another person changed keeps what was typed', async () => {
    server.on(
      saveAllergens,
      meanwhile([{ field: 'allergens', now: ['Kiwi', 'Celery'], yours: ['Kiwi', 'Mango'] }]),
    )
    const hands = open()
    const own = await screen.findByLabelText("The school's own allergens")
    await hands.type(own, '\nMango')
    await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
    expect(await screen.findByText('Allergens: now Kiwi, Celery, yours Kiwi, Mango')).toBeInTheDocument()
    expect(own).toHaveValue('Kiwi\nMango')
    server.on(saveAllergens, { allergens: [...standardAllergens, 'Kiwi', 'Celery', 'Mango'] })
    await hands.click(screen.getByRole('button', { name: 'Save Mine Instead' }))
    await waitFor(() => expect(own).toHaveValue('Kiwi\nCelery\nMango'))
    expect(server.asked(saveAllergens)[0]?.body).toEqual({ add: ['Mango'], remove: [], version: 'theirs' })
  })

  test("the school's own allergens are edited one a line; those of every school are only told", async () => {
    server.on(saveAllergens, { allergens: [...standardAllergens, 'Kiwi', 'Mango'] })
    const hands = open()
    const own = await screen.findByLabelText("The school's own allergens")
    expect(own).toHaveValue('Kiwi')
    expect(screen.getByText(/^Always on the list: Milk, Eggs,/)).toBeInTheDocument()
    await hands.type(own, '\n Mango \n')
    await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
    expect(await screen.findByText('Allergens saved successfully')).toBeInTheDocument()
    expect(server.asked(saveAllergens).map(({ body }) => body)).toEqual([{ add: ['Mango'], remove: [] }])
  })

  test('words of menu items that came onto the list are shown until it is saved', async () => {
    server.on(foundAllergens, { found: ['Celery'] })
    server.on(saveAllergens, { allergens: [...standardAllergens, 'Kiwi'] })
    const hands = open()
    expect(await screen.findByText(/^Celery: found on menu items/)).toBeInTheDocument()
    server.on(foundAllergens, { found: [] })
    await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
    expect(await screen.findByText('Allergens saved successfully')).toBeInTheDocument()
    expect(screen.queryByText(/Celery/)).not.toBeInTheDocument()
  })

  test('a list that is refused stays as it was typed, with the reason', async () => {
    server.on(saveAllergens, () => refusal(400, 'validation_failed', 'At most 20 of your own'))
    const hands = open()
    const own = await screen.findByLabelText("The school's own allergens")
    await hands.type(own, '\nMango')
    await hands.click(screen.getByRole('button', { name: 'Save Allergens' }))
    expect(await screen.findByText('At most 20 of your own')).toBeInTheDocument()
    expect(own).toHaveValue('Kiwi\nMango')
  })
})
