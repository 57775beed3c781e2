import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { find } from '#contracts/find'
import {
  listStatements,
  statementRows,
  uploadStatement,
  pendingPayments,
  confirmStatement,
  countIn,
  ignoreStatementRow,
  ignoreStatementRows,
  leftOutOfStatement,
  unignoreStatementRows,
  undoStatementRow,
  unignoreStatementRow,
} from '#contracts/transfers'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import {
  metadata,
  serveRows,
  serveStatements,
  statement,
  exact,
  foundByName,
  ignored,
  likely,
  openRow,
  row,
} from './sample-payments'

const office = adminWith('pending_payments')
const opened = '/?tab=statements&statement=7'
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  serveStatements(server)
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const press = async (user: Hands, name: string | RegExp) => user.click(await button(name))
const rowOf = async (payer: string) => within((await screen.findByText(payer)).closest('tr')!)

const list = '/?tab=statements'
const formOf = (at: number) => server.asked(uploadStatement)[at]?.body as FormData

describe('the statements', () => {
  test('are a tab of Pending Payments and lead to their rows', async () => {
    const user = openConsole('/', office)
    await user.click(await screen.findByRole('tab', { name: 'Statements' }))
    expect(await screen.findByText('november.csv')).toBeInTheDocument()
    expect(screen.getByText('1 exact, 1 likely, 1 open')).toBeInTheDocument()
    await press(user, /^Open november\.csv/)
    expect(await screen.findByText('PAYER 1')).toBeInTheDocument()
    await press(user, 'All statements')
    expect(await screen.findByText('Upload a statement')).toBeInTheDocument()
    expect(shownAddress()).toContain('tab=statements')
  })

  test('that are none say what they are for, that brought nothing and that could not be read say so', async () => {
    server.on(listStatements, { data: [], metadata: metadata(0) })
    openConsole(list, office)
    expect(await screen.findByText('No statements yet')).toBeInTheDocument()
    cleanup()
    const none = { open: 0, suggested: 0, exact: 0, likely: 0, confirmed: 0, ignored: 0 }
    server.on(listStatements, { data: [{ ...statement, counts: none }], metadata: metadata(1) })
    openConsole(list, office)
    expect(await screen.findByText('Nothing new')).toBeInTheDocument()
    cleanup()
    server.on(listStatements, () => refusal(503, 'unavailable', 'The database is away'))
    openConsole(list, office)
    expect(await screen.findByText('Failed to fetch statements')).toBeInTheDocument()
  })
})

describe('uploading', () => {
  const file = new File(['x'], 'today.csv', { type: 'text/csv' })
  const accounted = { amountIn: 91, leftOut: [], leftOutCount: 0, notes: [], proof: null }
  const result = { id: 7, source: 'airtel', rows: 3, moneyIn: 2, new: 1, known: 1, errors: [], ...accounted }
  const pick = async (user: Hands) => user.upload(await screen.findByLabelText('CSV file'), file)

  test('leads to the rows and says what came in, and which rows could not be read', async () => {
    server.on(uploadStatement, { ...result, errors: [{ row: 5, message: 'No date' }] })
    const user = openConsole(list, office)
    await user.selectOptions(await screen.findByLabelText('From'), 'MTN Money')
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('1 new payment')).toBeInTheDocument()
    expect(screen.getByText('3 rows: 2 payments in (K91.00), 1 of them new, 1 error')).toBeInTheDocument()
    expect(screen.getByText('Row 5: No date')).toBeInTheDocument()
    expect(await screen.findByText('PAYER 1')).toBeInTheDocument()
    expect(formOf(0).get('source')).toBe('mtn')
    expect(formOf(0).get('file')).toBeInstanceOf(File)
    expect(formOf(0).get('mapping')).toBeNull()
  })

  test('accounts for every row: each sum opens by a press, and a row that was left out is counted in', async () => {
    const leftOut = [
      { row: 4, reason: 'money out', amount: 50 },
      { row: 5, reason: 'money out: Wallet to Bank', amount: 20 },
      { row: 6, reason: 'balance: Balance at period end', amount: null },
    ]
    const notes = ['Dates are read as day/month: first 1 November, last 6 November']
    server.on(uploadStatement, { ...result, rows: 5, leftOut, leftOutCount: 3, notes, proof: 'balance' })
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(
      await screen.findByText('5 rows: 2 payments in (K91.00), 1 of them new, 2 money out, 1 balance'),
    ).toBeInTheDocument()
    expect(screen.getByText(notes[0]!)).toBeInTheDocument()
    expect(screen.getByText(/^The balances of the file prove/)).toBeInTheDocument()
    await user.click(screen.getByText('2 money out'))
    expect(screen.getByText('Row 5: money out: Wallet to Bank, K20.00')).toBeVisible()
    server.on(countIn, () =>
      refusal(422, 'facts_missing', 'Type it', { fields: { at: 'The row has no date: type it' } }),
    )
    await press(user, 'This is a payment: row 5')
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('Date'), '2026-09-15')
    server.on(countIn, { message: 'ok', rowId: row(1, {}).id })
    await user.click(dialog.getByRole('button', { name: 'Count It In' }))
    expect(await screen.findByText('Counted in')).toBeInTheDocument()
    expect(server.asked(countIn).map(({ body }) => body)).toEqual([{ row: 5, at: '2026-09-15' }])
  })

  test('the amount of a row that is counted in is read as everywhere; what is unclear is not sent', async () => {
    server.on(uploadStatement, { ...result, errors: [{ row: 5, message: 'No amount' }] })
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    server.on(countIn, () =>
      refusal(422, 'facts_missing', 'Type it', { fields: { amount: 'The row has no amount: type it' } }),
    )
    await press(user, 'This is a payment: row 5')
    const dialog = within(await screen.findByRole('dialog'))
    const send = async (typed: string) => {
      await user.clear(dialog.getByLabelText('Amount in kwacha'))
      await user.type(dialog.getByLabelText('Amount in kwacha'), typed)
      await user.click(dialog.getByRole('button', { name: 'Count It In' }))
    }
    for (const unclear of ['1.200', '-5', '0', 'forty']) {
      await send(unclear)
      expect(dialog.getByText('Type an amount such as 45.50')).toBeInTheDocument()
      expect(dialog.getByLabelText('Amount in kwacha')).toHaveValue(unclear)
    }
    for (const clear of ['K1,000', '1.250,50', '45,50']) await send(clear)
    expect(server.asked(countIn).map(({ body }) => body)).toEqual([
      { row: 5 },
      { row: 5, amount: 1000 },
      { row: 5, amount: 1250.5 },
      { row: 5, amount: 45.5 },
    ])
  })

  test('begins with where the last one came from, and takes a name of the school', async () => {
    server.on(uploadStatement, result)
    server.on(listStatements, { data: [{ ...statement, source: 'Zamtel' }], metadata: metadata(1) })
    const user = openConsole(list, office)
    await waitFor(async () => expect(await screen.findByLabelText('From')).toHaveDisplayValue('Zamtel'))
    await user.selectOptions(screen.getByLabelText('From'), 'Another…')
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('Choose where the statement is from')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Its name'), 'Stanbic')
    await press(user, 'Upload')
    await waitFor(() => expect(formOf(0).get('source')).toBe('Stanbic'))
  })

  test('can be left: it says so, stays where its reader went, and says there how it ended', async () => {
    let answer: (reply: typeof result) => void = () => undefined
    server.on(uploadStatement, () => new Promise<typeof result>((resolve) => (answer = resolve)))
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText(/^Reading the file\. You can leave/)).toBeInTheDocument()
    await user.click(screen.getByRole('tab', { name: 'Waiting' }))
    const where = shownAddress()
    answer(result)
    expect(await screen.findByText('today.csv is read')).toBeInTheDocument()
    expect(screen.getByText('1 new payment')).toBeInTheDocument()
    expect(shownAddress()).toBe(where)
  })

  test('without a file sends nothing', async () => {
    server.on(uploadStatement, result)
    const user = openConsole(list, office)
    await press(user, 'Upload')
    expect(await screen.findByText('No File Selected')).toBeInTheDocument()
    expect(server.asked(uploadStatement)).toEqual([])
  })

  test('that is refused says why', async () => {
    server.on(uploadStatement, () => refusal(422, 'not_csv', 'Save it as CSV'))
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('Save it as CSV')).toBeInTheDocument()
  })

  test('of a new layout asks which column is which, with the first rows in sight', async () => {
    const heads = ['Tran Date', 'Credit', 'Narration']
    server.on(uploadStatement, ({ body }) =>
      (body as FormData).get('mapping')
        ? result
        : refusal(422, 'mapping_needed', 'Match the columns of this file', {
            heads,
            sample: [['15/09/2026', '45.50', 'LP-7K3QW9 BANDA']],
          }),
    )
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('Which column is which?')).toBeInTheDocument()
    expect(screen.getByRole('cell', { name: 'LP-7K3QW9 BANDA' })).toBeInTheDocument()
    expect(screen.getByLabelText('Date and time')).toHaveFocus()
    await press(user, 'Upload')
    expect(await screen.findByText('Choose the column with the date')).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Date and time'), 'Tran Date')
    await press(user, 'Upload')
    expect(
      await screen.findByText('Choose the column with the amount, or with the money in'),
    ).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Money in'), 'Credit')
    await user.selectOptions(screen.getByLabelText('Text or reference'), 'Narration')
    await user.selectOptions(screen.getByLabelText('Name of the payer'), 'Narration')
    await user.selectOptions(screen.getByLabelText('Name of the payer'), 'Not in this file')
    await press(user, 'Upload')
    expect(await screen.findByText('1 new payment')).toBeInTheDocument()
    expect(document.activeElement).toHaveTextContent(/^1 new payment/)
    expect(JSON.parse(String(formOf(1).get('mapping')))).toEqual({
      at: 'Tran Date',
      in: 'Credit',
      text: 'Narration',
    })
  })

  test('of a new layout shows what was guessed beside the first rows, and one more press sends it', async () => {
    const guess = { at: 'Value Date', in: 'Credit', out: 'Debit' }
    const why = 'We guessed columns from the headings and first rows. Check them, then go on.'
    server.on(uploadStatement, ({ body }) =>
      (body as FormData).get('mapping')
        ? result
        : refusal(422, 'mapping_needed', why, {
            heads: ['Value Date', 'Debit', 'Credit', 'Branch'],
            sample: [['15/09/2026', '', '45.50', 'Kabulonga']],
            guess,
          }),
    )
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText(why)).toBeInTheDocument()
    const sample = screen.getByRole('cell', { name: 'Kabulonga' }).closest('table')!
    const heads = within(sample)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
    expect(heads).toEqual(['Value DateDate and time', 'DebitMoney out', 'CreditMoney in', 'Branchnot used'])
    await press(user, 'Upload')
    expect(await screen.findByText('1 new payment')).toBeInTheDocument()
    expect(JSON.parse(String(formOf(1).get('mapping')))).toEqual(guess)
  })

  test('that leaves out which way money went is asked again, with what is known', async () => {
    const heads = ['Txn Date', 'Amount', 'Dr/Cr']
    const known = { at: 'Txn Date', amount: 'Amount' }
    const why = 'The amounts do not say which way they went, but Dr/Cr does. Match the columns of this file.'
    server.on(uploadStatement, ({ body }) =>
      String((body as FormData).get('mapping')).includes('direction')
        ? result
        : refusal(422, 'mapping_needed', why, { heads, sample: [], guess: { ...known, direction: 'Dr/Cr' } }),
    )
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText(why)).toBeInTheDocument()
    expect(screen.getByLabelText('In or out (CR or DR)')).toHaveValue('Dr/Cr')
    await press(user, 'Upload')
    expect(await screen.findByText('1 new payment')).toBeInTheDocument()
    expect(document.activeElement).toHaveTextContent(/^1 new payment/)
    expect(JSON.parse(String(formOf(1).get('mapping')))).toEqual({ ...known, direction: 'Dr/Cr' })
  })
})

describe('the rows', () => {
  test('say from whom, what they pay, and why', async () => {
    openConsole(opened, office)
    const first = await rowOf('PAYER 1')
    expect(first.getByText('Exact')).toBeInTheDocument()
    expect(first.getByText('Mary Banda (mary)')).toBeInTheDocument()
    expect(first.getByText('15 Sep 2026, 09:05')).toBeInTheDocument()
    expect(first.getByText('LP-7K3QW9 is in the text')).toBeInTheDocument()
    expect((await rowOf('PAYER 2')).getByText('K4.50 more becomes credit')).toBeInTheDocument()
    expect((await rowOf('PAYER 3')).getByText('Open')).toBeInTheDocument()
    expect((await rowOf('PAYER 4')).getByText(/1 meal, K40\.00, and K5\.50 as credit/)).toBeInTheDocument()
    expect((await rowOf('PAYER 5')).getByText('15 Sep 2026')).toBeInTheDocument()
  })

  test('are filtered by what is to be done with them; the filter is in the address', async () => {
    const user = openConsole(opened, office)
    await press(user, 'Likely 1')
    expect(shownAddress()).toContain('show=likely')
    await waitFor(() =>
      expect(server.asked(statementRows).at(-1)?.query).toEqual({
        state: 'suggested',
        certainty: 'likely',
        page: 1,
      }),
    )
    expect(await button('Likely 1')).toHaveAttribute('aria-pressed', 'true')
  })

  test('of a file that brought nothing new say where they are', async () => {
    serveRows(server)
    openConsole(opened, office)
    expect(await screen.findByText('Nothing new in this file')).toBeInTheDocument()
  })
})

const short = {
  ...openRow,
  named: {
    references: ['LP-7K3QW9'],
    orderIds: ['a', 'b'],
    parents: [exact.match!.parent],
    amount: 120,
  },
}
const sentRows = () => server.asked(confirmStatement).map(({ body }) => body)
const choose = async (user: Hands, payer = 'PAYER 3') => {
  await press(user, new RegExp(`^Choose meals: .*${payer}`))
  return within(await screen.findByRole('dialog'))
}

describe('confirming', () => {
  test('all exact rows asks once; what was left as it was is told row by row', async () => {
    server.on(confirmStatement, {
      confirmed: 3,
      skipped: [
        { rowId: exact.id, code: 'order_paid', message: 'The meal is paid already' },
        { rowId: row(9, {}).id, code: 'short', message: 'K5.00 is missing' },
      ],
    })
    const user = openConsole(opened, office)
    await press(user, 'Confirm all exact (1)')
    const asked = within(await screen.findByRole('dialog', { name: 'Confirm 1 exact row?' }))
    await user.click(asked.getByRole('button', { name: 'Yes, Confirm' }))
    expect(await screen.findByText('3 rows confirmed')).toBeInTheDocument()
    expect(sentRows()).toEqual([{ allExact: true }])
    expect(screen.getByText('2 rows left as it was')).toBeInTheDocument()
    expect(
      screen.getByText('K45.50 from PAYER 1, 15 Sep 2026, 09:05: The meal is paid already'),
    ).toBeInTheDocument()
    expect(screen.getByText('A row on another page: K5.00 is missing')).toBeInTheDocument()
    expect((await rowOf('PAYER 1')).getByText('The meal is paid already')).toBeInTheDocument()
  })

  test('the likely ones that were chosen sends just these', async () => {
    const user = openConsole(opened, office)
    await user.click(await screen.findByRole('checkbox', { name: 'All likely ones shown' }))
    expect(screen.getByText('1 row, K50.00')).toBeInTheDocument()
    await press(user, 'Confirm Chosen')
    await screen.findByText('1 row confirmed')
    expect(sentRows()).toEqual([{ allLikely: [likely.id] }])
  })

  test('one row takes one press, leads to the next one, and can be undone', async () => {
    server.on(undoStatementRow, { message: 'ok' })
    const user = openConsole(opened, office)
    await press(user, /^Confirm: .*PAYER 1/)
    await screen.findByText(/^Confirmed: K45\.50 from PAYER 1/)
    expect(sentRows()).toEqual([{ rows: [{ rowId: exact.id, orderIds: ['a'] }] }])
    await waitFor(async () => expect(await button(/^Confirm: .*PAYER 2/)).toHaveFocus())
    await press(user, 'Undo')
    await screen.findByText(/^Undone: K45\.50 from PAYER 1/)
    expect(server.asked(undoStatementRow)[0]?.params).toEqual({ id: exact.id })
  })

  test('rows that pay for the same meals are confirmed together', async () => {
    const [one, other] = [1, 4].map((at) => row(at, { state: 'suggested', match: exact.match }))
    serveRows(server, one!, likely, other!)
    const user = openConsole(opened, office)
    await press(user, /^Confirm: .*PAYER 1/)
    await screen.findByText(/^Confirmed:/)
    expect(sentRows()).toEqual([
      {
        rows: [
          { rowId: one!.id, orderIds: ['a'] },
          { rowId: other!.id, orderIds: ['a'] },
        ],
      },
    ])
  })

  test('a row that brings more than is unpaid on its reference takes one press; the rest becomes credit', async () => {
    serveRows(server, { ...short, amount: 130 })
    const user = openConsole(opened, office)
    expect(await screen.findByText(/K10\.00 more came and becomes credit/)).toBeInTheDocument()
    await press(user, /^Confirm: .*PAYER 3/)
    await screen.findByText(/^Confirmed:/)
    expect(sentRows()).toEqual([{ rows: [{ rowId: short.id, orderIds: ['a', 'b'] }] }])
  })

  test('a confirmed row is undone, or says why not', async () => {
    server.on(undoStatementRow, () => refusal(409, 'meal_eaten', 'One of its meals has already been served'))
    const user = openConsole(opened, office)
    await press(user, /^Undo: .*PAYER 4/)
    expect(await screen.findByText('One of its meals has already been served')).toBeInTheDocument()
  })

  test('all open rows of one text are ignored at once, and brought back', async () => {
    const rowIds = Array.from({ length: 64 }, (_, at) => row(at, {}).id)
    const alike = [{ text: 'Rent', rowIds, amount: 3200 }]
    server.on(statementRows, { statement, data: [row(1, { text: 'Rent' })], alike, metadata: metadata(120) })
    server.on(ignoreStatementRows, { ignored: 64, skipped: [] })
    server.on(unignoreStatementRows, { ignored: 64, skipped: [] })
    const user = openConsole(opened, office)
    await press(user, 'Ignore all 64 open ones of “Rent”, K3,200.00')
    await screen.findByText('64 rows ignored')
    await press(user, 'Undo')
    await screen.findByText('64 rows brought back')
    expect(server.asked(ignoreStatementRows).map(({ body }) => body)).toEqual([{ rowIds }])
    expect(server.asked(unignoreStatementRows).map(({ body }) => body)).toEqual([{ rowIds }])
  })

  test('rows that were left out are listed when asked for', async () => {
    server.on(leftOutOfStatement, {
      data: [{ row: 9, reason: 'failed: Failed', amount: 5 }],
      metadata: metadata(1),
    })
    const user = openConsole(opened, office)
    await user.click(await screen.findByText('Left out rows'))
    expect(await screen.findByText('failed: Failed')).toBeInTheDocument()
    expect(await button('This is a payment: row 9')).toBeInTheDocument()
  })

  test('a row that is none of ours is ignored, and brought back', async () => {
    server.on(ignoreStatementRow, { message: 'ok' })
    server.on(unignoreStatementRow, { message: 'ok' })
    const user = openConsole(opened, office)
    await press(user, /^Ignore: .*PAYER 3/)
    await screen.findByText(/^Ignored: K100\.00 from PAYER 3/)
    await press(user, 'Undo')
    await screen.findByText(/^Brought back: K100\.00 from PAYER 3/)
    await press(user, /^Bring back: .*PAYER 5/)
    await screen.findByText(/^Brought back: K45\.50 from PAYER 5/)
    expect(server.asked(unignoreStatementRow).map(({ params }) => params)).toEqual([
      { id: openRow.id },
      { id: ignored.id },
    ])
  })
})

describe('choosing by hand what a row pays', () => {
  test('meals of two families; the rest becomes the credit of one of them', async () => {
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    expect(dialog.getByText('What does K100.00 pay?')).toBeInTheDocument()
    await user.click(await dialog.findByRole('checkbox', { name: /Meal b/ }))
    expect(dialog.getByText(/the other K40\.00 becomes credit of Mary Banda/)).toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', { name: /Meal c/ }))
    expect(dialog.getByRole('button', { name: 'Confirm 2 meals' })).toBeDisabled()
    await user.selectOptions(dialog.getByLabelText('Whose credit is the K10.00 left over?'), 'peter')
    await user.click(dialog.getByRole('button', { name: 'Confirm 2 meals' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(sentRows()).toEqual([{ rows: [{ rowId: openRow.id, orderIds: ['b', 'c'], surplusTo: 2 }] }])
  })

  test('the search begins with the reference that the payer wrote', async () => {
    serveRows(server, short)
    const user = openConsole(opened, office)
    expect(await screen.findByText('K120.00 is unpaid on LP-7K3QW9: K20.00 is missing')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Confirm: / })).not.toBeInTheDocument()
    await choose(user)
    expect(server.asked(pendingPayments)[0]?.query).toMatchObject({ text: 'LP-7K3QW9' })
  })

  test('more meals than the money pays cannot be confirmed', async () => {
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    await user.click(await dialog.findByRole('checkbox', { name: 'Select all of mary' }))
    expect(dialog.getByText(/K5\.50 is missing/)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Confirm 2 meals' })).toBeDisabled()
  })

  test('no meals: all of it becomes credit of a family', async () => {
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    await user.selectOptions(await dialog.findByLabelText('Or make all K100.00 the credit of'), '1')
    await user.click(dialog.getByRole('button', { name: 'Make It Credit' }))
    await waitFor(() =>
      expect(sentRows()).toEqual([{ rows: [{ rowId: openRow.id, orderIds: [], surplusTo: 1 }] }]),
    )
  })

  test('a meal that lapsed is found and chosen, and a family that has nothing to pay', async () => {
    server.on(find, foundByName)
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    await user.type(dialog.getByLabelText('Search parent, student, meal or reference'), 'zulu')
    const lapsed = await dialog.findByRole('checkbox', { name: /^Stew for Zed, 10 September 2026.*K45\.50$/ })
    expect(dialog.queryByRole('checkbox', { name: /^Rice/ })).not.toBeInTheDocument()
    const credit = dialog.getByLabelText('Or make all K100.00 the credit of')
    expect(within(credit).getByRole('option', { name: 'Zoe Zulu (zulu)' })).toBeInTheDocument()
    await user.click(lapsed)
    await user.click(dialog.getByRole('button', { name: 'Confirm 1 meal' }))
    await waitFor(() => expect(sentRows()).toEqual([{ rows: [{ rowId: openRow.id, orderIds: ['lapsed'] }] }]))
  })

  test('what the server leaves as it was is said in the dialog, which stays', async () => {
    server.on(confirmStatement, {
      confirmed: 0,
      skipped: [{ rowId: likely.id, code: 'order_paid', message: 'The meal is paid already' }],
    })
    const user = openConsole(opened, office)
    const dialog = await choose(user, 'PAYER 2')
    expect(server.asked(pendingPayments)[0]?.query).toMatchObject({ text: 'LP-7K3QW9' })
    await user.click(await dialog.findByRole('checkbox', { name: /Meal a/ }))
    await user.click(dialog.getByRole('button', { name: 'Confirm 1 meal' }))
    expect(await dialog.findByText('The meal is paid already')).toBeInTheDocument()
  })
})
