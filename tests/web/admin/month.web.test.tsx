import { screen, waitFor, within } from '@testing-library/react'
import {
  getAccounts,
  getBooksSettings,
  monthJournal,
  monthJournalCsv,
  saveAccounts,
  type AccountSettings,
  type JournalDay,
} from '#contracts/books'
import { listMenu } from '#contracts/catalogue'
import {
  creditBalancesCsv,
  listCreditBalances,
  payOutCredits,
  type CreditBalances,
} from '#contracts/credit-balances'
import { listCycles } from '#contracts/cycles'
import { getPaymentBypass } from '#contracts/payments'
import { listPayouts, listRefunds } from '#contracts/refunds'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
let downloads: string[]
beforeEach(() => {
  server = fakeServer()
  downloads = []
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.getAttribute('href')!)
  })
})
afterEach(() => {
  jest.restoreAllMocks()
  forgetToasts()
})

describe('the month in the books', () => {
  const entry = { number: 'J2026-09-001', code: '8400001', text: 'Card 14/09/2026, closing c0ffee' }
  const day = (date: string, closed: boolean): JournalDay => ({
    date,
    closed,
    entries: [
      { ...entry, account: 'card', debit: 45, credit: 0 },
      { ...entry, account: 'sales', code: '', debit: 0, credit: 45 },
    ],
  })
  const open = (days: JournalDay[]) => {
    server.on(listCycles, [])
    server.on(listMenu, [])
    server.on(monthJournal, ({ query }) => ({
      month: String(query.month),
      days: query.month === '2026-09' ? days : [],
      totals: { debit: 45 * days.length, credit: 45 * days.length },
    }))
    return openConsole('/?section=history&tab=books&books=month&month=2026-09', adminWith('history'))
  }

  test('shows each entry in double entry, and writes the file once all days are closed', async () => {
    server.on(monthJournalCsv, 'file')
    const user = open([day('2026-09-14', true)])
    const table = within(await screen.findByRole('table', { name: 'Journal' }))
    expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'DayNumberAccountDebitCredit',
      'Whole monthDebit K45.00Credit K45.00',
      'Mon 14 SeptJ2026-09-001Card, 8400001Debit K45.00',
      'Mon 14 SeptJ2026-09-001MealsCredit K45.00',
    ])
    await user.selectOptions(screen.getByLabelText('For'), 'Xero')
    await user.click(screen.getByRole('button', { name: 'Export Month' }))
    await waitFor(() => expect(downloads).toEqual(['/api/books/journal/csv?month=2026-09&for=xero&part=1']))
  })

  test('names the accounts that a file needs, and saves none', async () => {
    server.on(monthJournalCsv, () =>
      refusal(409, 'accounts_missing', 'Set these account numbers in Settings first', {
        names: ['sales', 'taxCode'],
      }),
    )
    const user = open([day('2026-09-14', true)])
    await user.click(await screen.findByRole('button', { name: 'Export Month' }))
    expect(
      await screen.findByText(
        'Set them under Settings, Payment Settings, Accounts of the Books: Meals, Tax rate.',
      ),
    ).toBeInTheDocument()
    expect(downloads).toEqual([])
  })

  test('a month with open days names them in place of the export', async () => {
    open([day('2026-09-14', true), day('2026-09-15', false)])
    expect(
      await screen.findByText('Close every day of the month in Day end, then export it: Tue 15 Sept.'),
    ).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Export Month' })).toBeNull()
  })

  test('a month of more than 300 lines comes in two parts for Xero alone', async () => {
    server.on(monthJournalCsv, 'file')
    const many = { ...day('2026-09-14', true), date: '2026-09-14' }
    const lines = Array.from({ length: 301 }, () => many.entries[0]!)
    const days = [{ ...many, entries: lines.map((one, at) => ({ ...one, number: `J2026-09-${at}` })) }]
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const user = open(days)
    await screen.findByRole('button', { name: 'Export Month' })
    await user.selectOptions(screen.getByLabelText('For'), 'Xero')
    await user.click(screen.getByRole('button', { name: 'Export Part 2 of 2' }))
    await waitFor(() => expect(downloads).toEqual(['/api/books/journal/csv?month=2026-09&for=xero&part=2']))
  })

  test('another month is in the address; one without bookings says so', async () => {
    const user = open([day('2026-09-14', true)])
    const month = await screen.findByLabelText('Month', { selector: 'input' })
    await user.clear(month)
    await user.type(month, '2026-08')
    expect(await screen.findByText('Nothing was booked in August 2026')).toBeInTheDocument()
    expect(shownAddress()).toContain('month=2026-08')
  })
})

describe('the accounts of the books', () => {
  const codes = {
    card: '',
    airtel: '',
    mtn: '',
    bank: '',
    cash: '',
    other: '',
    sales: '4000',
    discounts: '',
    refundsOwed: '',
    familyCredit: '',
    fees: '',
    absences: '',
  }

  test('are saved together, with program and tax rate', async () => {
    server.on(getPaymentBypass, () => refusal(503, 'unavailable', 'Not now'))
    server.on(getBooksSettings, () => refusal(503, 'unavailable', 'Not now'))
    server.on(getAccounts, { program: 'csv', codes, taxCode: '' })
    server.on(saveAccounts, ({ body }) => body as AccountSettings)
    const user = openConsole('/settings?tab=payment-settings', adminWith('settings'))
    await user.selectOptions(await screen.findByLabelText('Program'), 'Xero')
    await user.type(screen.getByLabelText('Card'), '1000')
    await user.type(screen.getByLabelText('Tax rate'), 'No VAT')
    await user.click(screen.getByRole('button', { name: 'Save Accounts' }))
    expect(await screen.findByText('Accounts saved successfully')).toBeInTheDocument()
    expect(server.asked(saveAccounts).map(({ body }) => body)).toEqual([
      { program: 'xero', codes: { ...codes, card: '1000' }, taxCode: 'No VAT' },
    ])
  })
})

describe('families with credit', () => {
  const family = (parentId: number, more: Partial<CreditBalances['data'][number]> = {}) => ({
    parentId,
    username: `family.${parentId}`,
    name: `Family ${parentId}`,
    balance: 12.5,
    held: 0,
    children: [{ name: 'Chipo', grade: '12', leaving: true }],
    lastOrderAt: null,
    ...more,
  })
  const open = (data: CreditBalances['data']) => {
    server.on(listPayouts, { data: [] })
    server.on(listRefunds, { data: [], metadata: { ...onePage, total: 0 } })
    server.on(listCreditBalances, { total: 40, data })
    return openConsole('/?section=refunds&tab=credit', adminWith('refunds'))
  }

  test('are listed with what is held, and those that leave are asked for and exported', async () => {
    server.on(creditBalancesCsv, 'file')
    const user = open([family(7), family(8, { balance: 0, held: 5 })])
    expect(await screen.findByText('K40.00')).toBeInTheDocument()
    const rows = within(screen.getByRole('table', { name: 'Families with credit' })).getAllByRole('row')
    expect(rows[1]).toHaveTextContent('Family 7Credit K12.50Last order NoneChipo, Grade 12Leaves')
    expect(rows[2]).toHaveTextContent('K0.00K5.00 held')
    await user.click(screen.getByRole('checkbox', { name: /^Only families that leave/ }))
    await waitFor(() =>
      expect(server.asked(listCreditBalances).at(-1)!.query).toEqual({ page: 1, leaving: true }),
    )
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(downloads).toEqual(['/api/credit/balances/csv?leaving=true'])
  })

  test('are paid out together; who is skipped is named', async () => {
    server.on(payOutCredits, {
      paid: 1,
      amount: 12.5,
      skipped: [
        { parentId: 8, code: 'approval', message: 'This waits for the approval of another administrator' },
      ],
    })
    const user = open([family(7), family(8)])
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
    await user.click(screen.getByRole('button', { name: 'Pay Out Selected' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Pay out 2 families?' }))
    await user.type(dialog.getByLabelText('Reference (optional)'), 'box 1')
    await user.click(dialog.getByRole('button', { name: 'Pay Out' }))
    expect(await screen.findByText('1 family was not paid')).toBeInTheDocument()
    expect(
      screen.getByText('family.8: This waits for the approval of another administrator'),
    ).toBeInTheDocument()
    expect(server.asked(payOutCredits).map(({ body }) => body)).toEqual([
      { parentIds: [7, 8], method: 'cash', reference: 'box 1' },
    ])
  })
})
