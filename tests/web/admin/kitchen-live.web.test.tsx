import { act, screen, waitFor } from '@testing-library/react'
import { kitchenToday } from '#contracts/kitchen'
import type { FakeServer } from './fake-server'
import { cook, kitchenOf, kitchenServer, row } from './kitchen-words'
import { forgetToasts, openConsole } from './open-console'

let server: FakeServer
beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true })
  server = kitchenServer()
})
afterEach(() => {
  forgetToasts()
  jest.useRealTimers()
})

const pass = (seconds: number) => act(() => jest.advanceTimersByTimeAsync(seconds * 1_000))
const asked = () => server.asked(kitchenToday).length

test('it reads itself again every 15 s, and marks what has changed for a minute', async () => {
  openConsole('/', cook)
  expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
  expect(screen.queryByText('Just changed')).not.toBeInTheDocument()
  const before = asked()
  await pass(15)
  await waitFor(() => expect(asked()).toBe(before + 1))
  expect(screen.queryByText('Just changed')).not.toBeInTheDocument()
  server.on(kitchenToday, kitchenOf(row({ total: 141 })))
  await pass(15)
  expect(await screen.findByText('Just changed')).toBeInTheDocument()
  expect(screen.getByText('141')).toBeInTheDocument()
  await pass(61)
  await waitFor(() => expect(screen.queryByText('Just changed')).not.toBeInTheDocument())
})

test('what was only marked complete is no change', async () => {
  openConsole('/', cook)
  expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
  server.on(kitchenToday, kitchenOf(row({ completed: 140, pendingOrderIds: [] })))
  await pass(15)
  expect(await screen.findByText('Completed')).toBeInTheDocument()
  expect(screen.queryByText('Just changed')).not.toBeInTheDocument()
})

test('it says how old what is seen is, and warns when nothing answers for two minutes', async () => {
  openConsole('/', cook)
  expect(await screen.findByText(/^Updated \d+ s ago$/)).toBeInTheDocument()
  server.on(kitchenToday, () => {
    throw new TypeError('Failed to fetch')
  })
  await pass(90)
  expect(screen.getByText('Updated 1 minute ago')).toBeInTheDocument()
  expect(screen.queryByText(/^No answer for/)).not.toBeInTheDocument()
  await pass(40)
  expect(screen.getByText('No answer for 2 minutes')).toBeInTheDocument()
  server.on(kitchenToday, kitchenOf(row({ total: 12 })))
  await pass(15)
  await waitFor(() => expect(screen.queryByText('No answer for 2 minutes')).not.toBeInTheDocument())
  expect(screen.getByText('12')).toBeInTheDocument()
})

test('it is read again when the page is seen and when the connection is there again', async () => {
  openConsole('/', cook)
  expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
  const before = asked()
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(asked()).toBe(before + 1))
  act(() => {
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
  })
  await waitFor(() => expect(asked()).toBe(before + 2))
})
