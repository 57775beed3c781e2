import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { listMenu } from '#contracts/catalogue'
import { listStudents } from '#contracts/identity'
import { ConnectionBanner, appQueryClient } from '../../web/app/app'
import { call } from '../../web/lib/call'
import { lazyComponent } from '../../web/lib/lazy'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { chanda, parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})
afterEach(() => {
  jest.useRealTimers()
  act(() => void window.dispatchEvent(new Event('online')))
})

const connection = (state: 'online' | 'offline') => act(() => void window.dispatchEvent(new Event(state)))
const lost = () => {
  throw new TypeError('Failed to fetch')
}

const hanging = (_address: unknown, init?: RequestInit) =>
  new Promise<Response>((_, reject) =>
    init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
  )

test('a page that is opened without a connection says so at once', () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(
    <MemoryRouter>
      <QueryClientProvider client={appQueryClient()}>
        <ConnectionBanner />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  expect(screen.getByText(/No connection/)).toBeVisible()
  onLine.mockRestore()
  connection('online')
  expect(screen.getByText(/No connection/)).not.toBeVisible()
})

test('the banner is there while the connection is not', () => {
  render(
    <MemoryRouter>
      <QueryClientProvider client={appQueryClient()}>
        <ConnectionBanner />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const banner = screen.getByText('No connection. Your cart is kept.')
  expect(banner.hidden).toBe(true)
  connection('offline')
  expect(banner.hidden).toBe(false)
  expect(banner.parentElement).toHaveAttribute('aria-live', 'polite')
  connection('online')
  expect(banner.hidden).toBe(true)
})

describe('a read', () => {
  test('that is asked for without a connection is made once it is back', async () => {
    const hands = openPortal('/?tab=cart', parent)
    await screen.findByText('Your cart is empty')
    connection('offline')
    await hands.click(screen.getByRole('tab', { name: 'Students' }))
    await screen.findByRole('button', { name: 'Add Student' })
    expect(server.asked(listStudents)).toHaveLength(0)
    expect(screen.queryByText('Failed to load students. Please try again.')).not.toBeInTheDocument()
    connection('online')
    expect(await screen.findByText(chanda.name)).toBeInTheDocument()
  })

  test('that is lost says what to do, and is made again once the connection is back', async () => {
    server.on(listMenu, lost)
    openPortal('/', parent)
    expect(await screen.findByText('Failed to load the menu. Please try again.')).toBeInTheDocument()
    expect(screen.getByText('No answer. Please check your connection and try again.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument()
    server.on(listMenu, [])
    connection('offline')
    connection('online')
    await waitFor(() => expect(server.asked(listMenu)).toHaveLength(1))
    await waitFor(() =>
      expect(screen.queryByText('Failed to load the menu. Please try again.')).not.toBeInTheDocument(),
    )
  })
})

describe('a call', () => {
  test.each([
    ['half a minute', {}, 30_000],
    ['as long as it is told', { timeoutMs: 6000 }, 6000],
    ['two minutes for files', { form: new FormData() }, 120_000],
  ])('is given up after %s', async (_what, more, ms) => {
    jest.useFakeTimers()
    globalThis.fetch = hanging
    const failed = jest.fn()
    void call(listMenu, more).catch(failed)
    await jest.advanceTimersByTimeAsync(ms - 1)
    expect(failed).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(1)
    expect(failed).toHaveBeenCalledWith(
      new TypeError('No answer. Please check your connection and try again.'),
    )
  })

  test('that nobody waits for any more ends as it was ended', async () => {
    globalThis.fetch = hanging
    const end = new AbortController()
    const calling = call(listMenu, { signal: end.signal })
    end.abort()
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('that was answered leaves no clock running', async () => {
    jest.useFakeTimers()
    await call(listMenu, {})
    expect(jest.getTimerCount()).toBe(0)
  })
})

test('a part of the application that cannot be fetched comes with the connection', async () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const load = jest
    .fn<Promise<() => string>, []>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(() => 'Here it is')
  const Part = lazyComponent(load)
  render(
    <Suspense fallback="On its way">
      <Part />
    </Suspense>,
  )
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  expect(screen.getByText('On its way')).toBeInTheDocument()
  onLine.mockReturnValue(true)
  connection('online')
  expect(await screen.findByText('Here it is')).toBeInTheDocument()
})
