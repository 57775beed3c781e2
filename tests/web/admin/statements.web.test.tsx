import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { listStatements, statementRows, uploadStatement } from '#contracts/transfers'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { metadata, serveRows, serveStatements, statement } from './sample-statements'

const office = adminWith('pending_payments')
const list = '/?tab=statements'
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
  const result = { id: 7, source: 'airtel', rows: 3, moneyIn: 2, new: 1, known: 1, errors: [] }
  const pick = async (user: Hands) => user.upload(await screen.findByLabelText('CSV file'), file)

  test('leads to the rows and says what came in, and which rows could not be read', async () => {
    server.on(uploadStatement, { ...result, errors: [{ row: 5, message: 'No date' }] })
    const user = openConsole(list, office)
    await user.selectOptions(await screen.findByLabelText('From'), 'MTN Money')
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('1 new payment')).toBeInTheDocument()
    expect(screen.getByText('3 rows read: 2 payments in, 1 new, 1 known from before.')).toBeInTheDocument()
    expect(screen.getByText('Row 5: No date')).toBeInTheDocument()
    expect(await screen.findByText('PAYER 1')).toBeInTheDocument()
    expect(formOf(0).get('source')).toBe('mtn')
    expect(formOf(0).get('file')).toBeInstanceOf(File)
    expect(formOf(0).get('mapping')).toBeNull()
  })

  test('begins with where the last one came from, and takes a name of the school', async () => {
    server.on(uploadStatement, result)
    server.on(listStatements, { data: [{ ...statement, source: 'Zamtel' }], metadata: metadata(1) })
    const user = openConsole(list, office)
    await waitFor(async () => expect(await screen.findByLabelText('From')).toHaveDisplayValue('Zamtel'))
    await user.selectOptions(screen.getByLabelText('From'), 'Another…')
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('Say where the statement is from')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Its name'), 'Stanbic')
    await press(user, 'Upload')
    await waitFor(() => expect(formOf(0).get('source')).toBe('Stanbic'))
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
