import { screen, waitFor } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders, type CycleOrder } from '#contracts/order-reports'
import { listCycles } from '#contracts/cycles'
import { fakeServer, FakeRefusal, refusal, type Asked, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { autumnCycle, historyOrder, historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer
let saved: { name: string; blob: Blob }[]
let blobs: Blob[]

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [autumnCycle])
  server.on(listMenu, [])
  saved = []
  blobs = []
  URL.createObjectURL = (blob) => `blob:${blobs.push(blob as Blob) - 1}`
  URL.revokeObjectURL = () => undefined
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs[Number(this.href.slice('blob:'.length))]! })
  })
})
afterEach(() => {
  jest.restoreAllMocks()
  forgetToasts()
})

const textOf = (blob: Blob) =>
  new Promise<Buffer>((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(Buffer.from(reader.result as ArrayBuffer)))
    reader.readAsArrayBuffer(blob)
  })
const linesOf = async (blob: Blob) => (await textOf(blob)).toString('utf8').slice(1).split('\r\n')

const placeOf = (at: number) => `2026-09-14T05:05:00.000Z~1~2~7.${at}.1.2.1`

/** Answers with the orders of this school as the server would; they stand at their index. */
const serving =
  (orders: CycleOrder[]) =>
  ({ query }: Asked) => {
    const { pageSize = 10, after } = query as { pageSize?: number; after?: string }
    const from = after === undefined ? 0 : Number(after.split('.').at(-4)) + 1
    const data = orders.slice(from, from + pageSize)
    const next = data.length === pageSize ? placeOf(from + pageSize - 1) : null
    return historyPage(data, { pageSize, total: orders.length, next })
  }
const many = (count: number) => Array.from({ length: count }, (_, at) => historyOrder(`7.${at}.1.2.1`))
const withResolvers = () => {
  const waiting: (() => void)[] = []
  const promise = new Promise<void>((resolve) => waiting.push(resolve))
  return { promise, resolve: () => waiting[0]?.() }
}
const chunks = () => server.asked(cycleOrders).filter(({ query }) => query.pageSize === 100)

const exportAll = async (address = '/') => {
  const user = openConsole(address, office)
  await screen.findByText(/^\d+ orders?$/)
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  return user
}

test('the file has the columns of the spec, exact prices and dates of the school', async () => {
  const order = historyOrder('a', {
    comments: 'warm, please',
    originalPrice: 50,
    discountedPrice: 44.1,
    student: { name: 'Chanda "CJ" Mwansa', grade: '4' },
  })
  server.on(cycleOrders, serving([order]))
  await exportAll()
  expect(await screen.findByText('Export successful')).toBeInTheDocument()
  expect(saved[0]?.name).toBe('cycle-orders-2026-09-16.csv')
  expect(await linesOf(saved[0]!.blob)).toEqual([
    '"Order Date","Student Name","Student Grade","Menu Item","Cycle Start","Week","Day","Category","Side Dish","Comments","Original Price","Discounted Price","Status"',
    '"2026-09-14 07:05","Chanda ""CJ"" Mwansa","4","Beef Stew","2026-09-14","1","Tuesday","beef","Nshima","warm, please","50.00","44.10","pending"',
    '',
  ])
})

test('the file says that it is UTF-8', async () => {
  server.on(cycleOrders, serving([historyOrder('a', { student: { name: 'Chisómo', grade: '4' } })]))
  await exportAll()
  await screen.findByText('Export successful')
  const bytes = await textOf(saved[0]!.blob)
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(bytes.toString('utf8')).toContain('Chisómo')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1', 'warm;=1', 'warm\n=1'])(
  'a comment %j is no formula in the file',
  async (comments) => {
    server.on(cycleOrders, serving([historyOrder('a', { comments })]))
    await exportAll()
    await screen.findByText('Export successful')
    const text = (await textOf(saved[0]!.blob)).toString('utf8')
    expect(text).toContain("'")
    expect(text).not.toMatch(/[",;\t\r\n] *[=+\-@＝]/)
  },
)

test('goes in chunks of 100 with the filters, and shows how far it is', async () => {
  const answer = serving(many(230))
  const { promise: held, resolve: release } = withResolvers()
  server.on(cycleOrders, async (asked) => {
    if (asked.query.after === placeOf(199)) await held
    return answer(asked)
  })
  await exportAll('/?weekNumber=2&status=pending')
  const bar = await screen.findByRole('progressbar', { name: 'Exporting 200 of 230 orders' })
  expect(bar).toMatchObject({ value: 200, max: 230 })
  release()
  expect(await screen.findByText(/^230 orders in cycle-orders-/)).toBeInTheDocument()
  const filters = { weekNumber: 2, status: 'pending', pageSize: 100 }
  expect(chunks().map(({ query }) => query)).toEqual([
    filters,
    { ...filters, after: placeOf(99) },
    { ...filters, after: placeOf(199) },
  ])
  expect(await linesOf(saved[0]!.blob)).toHaveLength(232)
  expect(screen.queryByRole('progressbar')).not.toBeInTheDocument()
})

test('a last chunk that is just full is followed by an empty one', async () => {
  server.on(cycleOrders, serving(many(100)))
  await exportAll()
  expect(await screen.findByText(/^100 orders in/)).toBeInTheDocument()
  expect(chunks()).toHaveLength(2)
})

test('without orders says No data to export and makes no file', async () => {
  server.on(cycleOrders, serving([]))
  await exportAll()
  expect(await screen.findByText('No data to export')).toBeInTheDocument()
  expect(saved).toEqual([])
})

test.each([
  [
    'its own words',
    () => {
      throw new FakeRefusal(502, null)
    },
    'Failed to fetch data chunk',
  ],
  [
    'the words of the server',
    () => refusal(503, 'unavailable', 'The database is away'),
    'The database is away',
  ],
])('a chunk that fails ends it with %s', async (_name, fail, text) => {
  const answer = serving(many(150))
  server.on(cycleOrders, (asked) => (asked.query.after ? fail() : answer(asked)))
  await exportAll()
  expect(await screen.findByText('Export failed')).toBeInTheDocument()
  expect(screen.getByText(text)).toBeInTheDocument()
  expect(saved).toEqual([])
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeInTheDocument()
})

test('a browser that cannot keep the file says Failed to export data', async () => {
  server.on(cycleOrders, serving(many(1)))
  URL.createObjectURL = () => {
    throw new Error('no room')
  }
  await exportAll()
  expect(await screen.findByText('Failed to export data')).toBeInTheDocument()
})

test('can be stopped, and then makes no file', async () => {
  const answer = serving(many(230))
  server.on(cycleOrders, (asked) => (asked.query.after ? new Promise(() => {}) : answer(asked)))
  const fetching = globalThis.fetch
  globalThis.fetch = (address, init) =>
    new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      void fetching(address, init).then(resolve, reject)
    })
  const user = await exportAll()
  await user.click(await screen.findByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument())
  expect(saved).toEqual([])
  expect(screen.queryByText('Export failed')).not.toBeInTheDocument()
})
