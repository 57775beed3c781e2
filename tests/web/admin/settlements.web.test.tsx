import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { settlementOf, settlements, uploadSettlement, type Settlement } from '#contracts/settlements'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

const office = adminWith('history')
const list = '/?section=history&tab=books&books=settlements'
let server: FakeServer

const head = {
  id: 4,
  fileName: 'dpo.csv',
  uploadedAt: '2026-09-16T07:05:00.000Z',
  uploadedBy: 'bursar',
  counts: { matched: 1, amount_differs: 1, missing_here: 1, missing_there: 1 },
  totals: { gross: 60, fee: -1.5, reserve: null, net: 50 },
}
const settlement: Settlement = {
  ...head,
  rows: [
    { row: 2, type: 'payment', state: 'matched', reference: 'LP-1', ours: 91, theirs: 91 },
    { row: 3, type: 'refund', state: 'amount_differs', reference: 'LP-2', ours: 45.5, theirs: 45 },
    { row: 4, type: 'chargeback', state: 'missing_here', reference: 'LP-3', ours: null, theirs: 30 },
    { row: null, type: 'payment', state: 'missing_there', reference: 'LP-4', ours: 12, theirs: null },
  ],
  errors: [{ row: 5, message: 'The amount lots cannot be read' }],
}

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [])
  server.on(listMenu, [])
  server.on(settlements, { data: [head] })
  server.on(settlementOf, settlement)
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const file = new File(['x'], 'dpo.csv', { type: 'text/csv' })
const pick = async (user: Hands) => user.upload(await screen.findByLabelText('CSV file'), file)
const cellsOf = async (reference: string) =>
  within((await screen.findByText(reference)).closest('tr')!)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent?.replace(/^(Row|Ours|The provider's) /, ''))
const formOf = (at: number) => server.asked(uploadSettlement)[at]?.body as FormData

test('stand in the books, each leads to its rows beside ours', async () => {
  const user = openConsole('/?section=history&tab=books', office)
  await user.click(await screen.findByRole('tab', { name: 'Settlements' }))
  expect(await screen.findByText('3 to look at, 1 matched')).toBeInTheDocument()
  await press(user, /^Open dpo\.csv/)
  expect(await cellsOf('LP-1')).toEqual(['2', 'Matched', 'LP-1', 'Payment', 'K91.00', 'K91.00'])
  expect(await cellsOf('LP-2')).toEqual(['3', 'Amount differs', 'LP-2', 'Refund', 'K45.50', 'K45.00'])
  expect(await cellsOf('LP-3')).toEqual(['4', 'Missing here', 'LP-3', 'Chargeback', '–', 'K30.00'])
  expect(await cellsOf('LP-4')).toEqual(['–', 'Missing there', 'LP-4', 'Payment', 'K12.00', '–'])
  expect(screen.getByText('Gross K60.00, fee −K1.50, net K50.00')).toBeInTheDocument()
  expect(screen.getByText('Row 5: The amount lots cannot be read')).toBeInTheDocument()
  expect(shownAddress()).toBe(`${list}&settlement=4`)
  await user.selectOptions(screen.getByLabelText('Show'), 'Missing there (1)')
  await waitFor(() => expect(screen.queryByText('LP-1')).not.toBeInTheDocument())
  expect(screen.getByText('LP-4')).toBeInTheDocument()
  expect(shownAddress()).toBe(`${list}&settlement=4&show=missing_there`)
  await press(user, 'All settlements')
  expect(await screen.findByText('Upload a settlement')).toBeInTheDocument()
  expect(shownAddress()).toBe(list)
})

test('that are none say what they are for', async () => {
  server.on(settlements, { data: [] })
  openConsole(list, office)
  expect(await screen.findByText('No settlements yet')).toBeInTheDocument()
})

test('that match say so', async () => {
  const counts = { matched: 9, amount_differs: 0, missing_here: 0, missing_there: 0 }
  server.on(settlements, { data: [{ ...head, counts }] })
  openConsole(list, office)
  expect(await screen.findByText('All matched')).toBeInTheDocument()
})

test('an upload of a new layout asks which column is which, and leads to its rows', async () => {
  const heads = ['Transaction', 'Amount']
  server.on(uploadSettlement, ({ body }) =>
    (body as FormData).get('mapping')
      ? settlement
      : refusal(422, 'mapping_needed', 'Match the columns of this file', {
          heads,
          sample: [['AB-1', '91.00']],
        }),
  )
  const user = openConsole(list, office)
  await press(user, 'Upload')
  expect(await screen.findByText('No File Selected')).toBeInTheDocument()
  await pick(user)
  await press(user, 'Upload')
  expect(await screen.findByRole('cell', { name: 'AB-1' })).toBeInTheDocument()
  await press(user, 'Upload')
  expect(await screen.findByText('Choose the column that names the payment')).toBeInTheDocument()
  await user.selectOptions(screen.getByLabelText('Token of the transaction'), 'Transaction')
  await press(user, 'Upload')
  expect(await screen.findByText('Choose the column with the gross amount')).toBeInTheDocument()
  await user.selectOptions(screen.getByLabelText('Gross amount'), 'Amount')
  await press(user, 'Upload')
  expect(await screen.findByText('LP-1')).toBeInTheDocument()
  expect(JSON.parse(String(formOf(1).get('mapping')))).toEqual({ token: 'Transaction', gross: 'Amount' })
  expect(formOf(1).get('file')).toBeInstanceOf(File)
})

test('an upload that is refused says why', async () => {
  server.on(uploadSettlement, () => refusal(422, 'not_csv', 'Save it as CSV'))
  const user = openConsole(list, office)
  await pick(user)
  await press(user, 'Upload')
  expect(await screen.findByText('Save it as CSV')).toBeInTheDocument()
})
