import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { bulkUpload } from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { forgetToasts, openConsole } from './open-console'
import { serveMenu } from './sample-menu'

let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  serveMenu(server)
})
afterEach(forgetToasts)

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const pick = async (file: File) =>
  userEvent.upload(await screen.findByLabelText('CSV file'), file, { applyAccept: false })
const outcome = (more: Partial<ReplyOf<typeof bulkUpload>> = {}) => ({
  successCount: 0,
  createdCount: 0,
  changedCount: 0,
  changed: [],
  errorCount: 0,
  errors: [],
  ...more,
})
const csv = new File(['x'.repeat(2300)], 'term.csv', { type: 'text/csv' })

test('a picked file is shown with its size in KB', async () => {
  openConsole('/')
  await pick(csv)
  expect(await screen.findByText('term.csv (2.2 KB)')).toBeInTheDocument()
})

test('a file that is no CSV is turned away', async () => {
  openConsole('/')
  await pick(new File(['x'], 'menu.xlsx', { type: 'application/vnd.ms-excel' }))
  expect(await screen.findByText('Invalid File Type')).toBeInTheDocument()
  expect(screen.getByText('Please select a CSV file')).toBeInTheDocument()
  expect(screen.queryByText(/KB\)/)).not.toBeInTheDocument()
})

test('without a file nothing is sent', async () => {
  server.on(bulkUpload, outcome())
  openConsole('/')
  await press('Upload')
  expect(await screen.findByText('No File Selected')).toBeInTheDocument()
  expect(server.asked(bulkUpload)).toEqual([])
})

test('the file goes in the field of the contract; the result counts and lists', async () => {
  server.on(
    bulkUpload,
    outcome({
      successCount: 12,
      createdCount: 12,
      errorCount: 2,
      errors: ['Row 5, price: wrong', 'Row 9, type: wrong'],
    }),
  )
  openConsole('/')
  await pick(csv)
  await press('Upload')
  expect(await screen.findByText('12 saved')).toBeInTheDocument()
  expect(screen.getByText('12 new, 0 changed')).toBeInTheDocument()
  expect(server.asked(bulkUpload).map(({ query }) => query)).toEqual([{ dryRun: 'true' }, {}])
  expect(screen.getByText('2 with errors')).toBeInTheDocument()
  expect(screen.getByText('Row 5, price: wrong')).toBeInTheDocument()
  expect(screen.getByText('Row 9, type: wrong')).toBeInTheDocument()
  const [, sent] = server.asked(bulkUpload).map(({ body }) => (body as FormData).get('file'))
  expect(sent).toHaveProperty('name', 'term.csv')
  expect(screen.queryByText(/KB\)/)).not.toBeInTheDocument()
})

test('items that are there are changed only after they were named', async () => {
  const planned = outcome({
    successCount: 3,
    createdCount: 1,
    changedCount: 2,
    changed: [
      { id: 4, name: 'Stew' },
      { id: 5, name: 'Pizza' },
    ],
  })
  server.on(bulkUpload, planned)
  openConsole('/')
  await pick(csv)
  await press('Upload')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 menu items?' }))
  expect(dialog.getByText(/Stew, Pizza\. 1 item would be new\./)).toBeInTheDocument()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(server.asked(bulkUpload)).toHaveLength(1)
  expect(screen.queryByText('3 saved')).not.toBeInTheDocument()
  await press('Upload')
  await press('Upload and Change')
  expect(await screen.findByText('1 new, 2 changed')).toBeInTheDocument()
  expect(server.asked(bulkUpload).map(({ query }) => query)).toEqual([
    { dryRun: 'true' },
    { dryRun: 'true' },
    {},
  ])
})

test('progress is shown while it runs', async () => {
  let finish: ((reply: ReplyOf<typeof bulkUpload>) => void) | undefined
  server.on(bulkUpload, ({ query }) =>
    query.dryRun ? outcome() : new Promise((resolve) => (finish = resolve)),
  )
  openConsole('/')
  await pick(csv)
  await press('Upload')
  expect(await screen.findByRole('progressbar', { name: 'Uploading menu items' })).toBeInTheDocument()
  await waitFor(() => expect(finish).toBeDefined())
  finish?.(outcome({ successCount: 1 }))
  expect(await screen.findByText('1 saved')).toBeInTheDocument()
  expect(screen.queryByRole('progressbar')).not.toBeInTheDocument()
})

test.each([
  [
    'the words of the server',
    () => refusal(422, 'columns_missing', 'Column price is missing'),
    'Column price is missing',
  ],
  [
    'its own words',
    () => {
      throw new FakeRefusal(502, null)
    },
    'Failed to upload menu items',
  ],
])('a failed upload is told with %s and keeps the file', async (_name, answer, text) => {
  server.on(bulkUpload, answer)
  openConsole('/')
  await pick(csv)
  await press('Upload')
  expect(await screen.findByText('Upload Failed')).toBeInTheDocument()
  expect(screen.getByText(text)).toBeInTheDocument()
  expect(screen.getByText('term.csv (2.2 KB)')).toBeInTheDocument()
})

test('the template is given as a file and this is said', async () => {
  const saved: string[] = []
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:template'
  URL.revokeObjectURL = () => undefined
  openConsole('/')
  await press('Download Template')
  expect(await screen.findByText('Template Downloaded')).toBeInTheDocument()
  expect(saved).toEqual(['menu-items-template.csv'])
})
