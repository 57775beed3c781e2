import { act, fireEvent, render, screen } from '@testing-library/react'
import { menuQuery } from '../../web/queries/catalogue'
import { calendarCutoffQuery } from '../../web/queries/cycles'
import { ordersQuery } from '../../web/features/orders/api'
import { userQuery } from '../../web/queries/session'
import { makeQueryClient } from '../../web/lib/endpoint-query'
import { Tooltip } from '../../web/ui/tooltip'
import { freshPortal, openPortal } from './open-portal'
import { teacher } from './sample-family'

const client = makeQueryClient(() => undefined)
const ask = (options: { queryKey: readonly unknown[] }) =>
  client.getQueryCache().build(client, client.defaultQueryOptions(options as never)).options as unknown as {
    staleTime: number
    gcTime: number
    retry: boolean
    refetchInterval: boolean
    refetchOnWindowFocus: boolean
    refetchOnReconnect: boolean
  }

test.each([
  ['orders are stale after 30 s and kept 5 minutes', () => ask(ordersQuery('parent')), 30_000],
  ['the cutoff is stale after 5 minutes', () => ask(calendarCutoffQuery), 300_000],
  ['everything else is never stale', () => ask(menuQuery), Infinity],
] as const)('%s', (_name, options, staleTime) => {
  expect(options()).toMatchObject({
    staleTime,
    gcTime: 300_000,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: true,
  })
})

test('who is signed in is asked once, and not again when a connection comes back', () => {
  expect(ask(userQuery)).toMatchObject({ staleTime: Infinity, refetchOnReconnect: false })
})

test('a change that fails is not tried again by itself', () => {
  expect(client.getDefaultOptions().mutations).toMatchObject({ retry: false })
})

test('a tooltip comes after 700 ms, on focus too, and Escape takes it away', () => {
  jest.useFakeTimers()
  try {
    render(<Tooltip text="What it does">{(described) => <button {...described}>Act</button>}</Tooltip>)
    fireEvent.focus(screen.getByRole('button'))
    act(() => jest.advanceTimersByTime(699))
    expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
    act(() => jest.advanceTimersByTime(1))
    expect(screen.getByRole('tooltip').textContent).toBe('What it does')
    fireEvent.keyDown(screen.getByRole('button'), { key: 'Escape' })
    expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
  } finally {
    jest.useRealTimers()
  }
})

test('a teacher has the menu and the history, under a welcome with the username', async () => {
  freshPortal()
  openPortal('/', teacher)
  expect(await screen.findByText(new RegExp(`Welcome, ${teacher.username}`))).toBeInTheDocument()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Menu Calendar', 'Order History'])
  expect(screen.getByRole('tab', { name: 'Menu Calendar' })).toHaveAttribute('aria-selected', 'true')
})
