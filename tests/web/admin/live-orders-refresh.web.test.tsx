import { act, screen } from '@testing-library/react'
import { liveOrders } from '#contracts/payments-console'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { liveAttempt, livePage } from './sample-payments'

const office = adminWith('live_orders')
let server: FakeServer

const show = (visibility: 'visible' | 'hidden') => {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const asked = () => server.asked(liveOrders).length

beforeEach(() => {
  jest.useFakeTimers()
  server = fakeServer()
  server.on(liveOrders, livePage([liveAttempt('1', { status: 'Payment Initiated' })]))
})
afterEach(() => {
  act(() => show('visible'))
  forgetToasts()
  jest.useRealTimers()
})

const openList = async () => {
  openConsole('/', office)
  await screen.findByText('Payment Initiated', { selector: 'td span' })
}

test('the list is read again every five seconds', async () => {
  await openList()
  expect(asked()).toBe(1)
  await pass(4900)
  expect(asked()).toBe(1)
  await pass(200)
  expect(asked()).toBe(2)
  await pass(5000)
  expect(asked()).toBe(3)
})

test('what changed is shown, what is open stays open, and nothing is taken away meanwhile', async () => {
  await openList()
  act(() => screen.getByRole('button', { name: /^Show the lines/ }).click())
  expect(screen.getByText('Grade 4 · 2 meals')).toBeInTheDocument()
  server.on(liveOrders, livePage([liveAttempt('2'), liveAttempt('1', { status: 'Processing Started' })]))
  await pass(5000)
  expect(screen.getByText('Processing Started', { selector: 'td span' })).toBeInTheDocument()
  expect(screen.getByText('2 payment attempts')).toBeInTheDocument()
  expect(screen.getByText('Grade 4 · 2 meals')).toBeInTheDocument()
  expect(screen.queryByText('Loading')).not.toBeInTheDocument()
})

test('nothing is read while the tab is hidden, and at once when it is seen again', async () => {
  await openList()
  act(() => show('hidden'))
  await pass(30_000)
  expect(asked()).toBe(1)
  act(() => show('visible'))
  await pass(0)
  expect(asked()).toBe(2)
})

test('a refresh that fails is said beside the list, which stays', async () => {
  await openList()
  server.on(liveOrders, () => refusal(503, 'unavailable', 'The database is away'))
  await pass(5000)
  expect(screen.getByRole('alert').textContent).toMatch(/^Not refreshed since .* The database is away$/)
  expect(screen.getByText('TOKEN-1')).toBeInTheDocument()
  server.on(liveOrders, livePage([liveAttempt('1')]))
  await pass(5000)
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
