import {
  type QueryClient,
  MutationObserver,
  QueryObserver,
  focusManager,
  onlineManager,
} from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { portal } from '#contracts/identity'
import { ordersQuery } from '../../web/features/orders/api'
import { call } from '../../web/lib/call'
import { makeQueryClient } from '../../web/lib/endpoint-query'
import { preloadedAt } from '../../web/lib/preloaded-data'
import { hearSchoolTime, schoolNow, setSchoolNow } from '../../web/lib/school-moment'
import { menuQuery } from '../../web/queries/catalogue'
import { calendarCutoffQuery } from '../../web/queries/cycles'
import { userQuery } from '../../web/queries/session'
import { Tooltip } from '../../web/ui/tooltip'
import { freshPortal, openPortal } from './open-portal'
import { teacher, parent } from './sample-family'

describe('query client', () => {
  const minutes = 60_000
  const aYear = 365 * 24 * 60 * minutes

  let client: QueryClient
  let asked: number
  let answer: () => Promise<unknown>
  let heard: unknown[]
  beforeEach(() => {
    jest.useFakeTimers()
    asked = 0
    heard = []
    answer = async () => []
    client = makeQueryClient((error) => heard.push(error))
    client.mount()
  })
  afterEach(() => {
    client.unmount()
    client.clear()
    focusManager.setFocused(undefined)
    onlineManager.setOnline(true)
    jest.useRealTimers()
  })

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)
  const menu = { queryKey: ['menu'] as readonly unknown[] }
  type Read = { queryKey: readonly unknown[]; staleTime?: number; gcTime?: number }

  const queryFn = () => {
    asked += 1
    return answer()
  }

  /** A screen that shows this read; answers how to close it. */
  const shown = ({ queryKey, staleTime, gcTime }: Read) => {
    const own = {
      ...(staleTime === undefined ? {} : { staleTime }),
      ...(gcTime === undefined ? {} : { gcTime }),
    }
    return new QueryObserver(client, { queryKey, queryFn, ...own }).subscribe(() => undefined)
  }
  const state = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)

  describe('a read without a word of its own', () => {
    test('is never stale: it is asked for once, however long it is on screen and whoever shows it too', async () => {
      shown(menu)
      await pass(aYear)
      shown(menu)
      await pass(1)
      expect(asked).toBe(1)
    })

    test('is kept for 5 minutes after its last screen has gone', async () => {
      const close = shown(menu)
      await pass(1)
      close()
      await pass(5 * minutes - 1)
      expect(state(menu.queryKey)).toBeDefined()
      await pass(1)
      expect(state(menu.queryKey)).toBeUndefined()
    })

    test('is asked for once when it fails, and that is heard', async () => {
      const fault = new Error('500: Internal Server Error')
      answer = () => Promise.reject(fault)
      shown(menu)
      await pass(10 * minutes)
      expect(asked).toBe(1)
      expect(state(menu.queryKey)).toMatchObject({ status: 'error', error: fault })
      expect(heard).toEqual([fault])
    })

    test('is not asked for again when the window is looked at again, not even where it is old', async () => {
      shown({ ...menu, staleTime: 0 })
      await pass(1)
      focusManager.setFocused(false)
      focusManager.setFocused(true)
      await pass(minutes)
      expect(asked).toBe(1)
    })
  })

  test('a change that fails is sent once, and that is heard', async () => {
    const fault = new Error('no answer')
    const sending = new MutationObserver(client, {
      mutationFn: () => {
        asked += 1
        return Promise.reject(fault)
      },
    })
    await expect(sending.mutate()).rejects.toBe(fault)
    await pass(10 * minutes)
    expect(asked).toBe(1)
    expect(heard).toEqual([fault])
  })

  test('a change without a connection is tried at once and not kept for later', async () => {
    onlineManager.setOnline(false)
    const sending = new MutationObserver(client, {
      mutationFn: async () => {
        asked += 1
        throw new TypeError('No answer')
      },
    })
    await expect(sending.mutate()).rejects.toThrow('No answer')
    onlineManager.setOnline(true)
    await pass(minutes)
    expect(asked).toBe(1)
  })

  describe('a lost connection', () => {
    test('lets a read wait, which goes on by itself when it is back', async () => {
      onlineManager.setOnline(false)
      shown(menu)
      await pass(minutes)
      expect(asked).toBe(0)
      expect(state(menu.queryKey)?.fetchStatus).toBe('paused')
      onlineManager.setOnline(true)
      await pass(1)
      expect(asked).toBe(1)
      expect(state(menu.queryKey)?.status).toBe('success')
    })

    test('that broke a read has it made again when it is back', async () => {
      answer = async () => {
        onlineManager.setOnline(false)
        throw new TypeError('No answer')
      }
      shown(menu)
      await pass(1)
      expect(state(menu.queryKey)?.status).toBe('error')
      answer = async () => ['Stew']
      onlineManager.setOnline(true)
      await pass(1)
      expect(state(menu.queryKey)).toMatchObject({ status: 'success', data: ['Stew'] })
      expect(asked).toBe(2)
    })

    test('leaves what was read before it as it is', async () => {
      shown(menu)
      await pass(1)
      onlineManager.setOnline(false)
      onlineManager.setOnline(true)
      await pass(minutes)
      expect(asked).toBe(1)
    })
  })

  describe.each([
    ["a parent's list of orders", ordersQuery('parent'), 30_000],
    ["a teacher's list of orders", ordersQuery('teacher'), 30_000],
    ['the cutoff', calendarCutoffQuery, 5 * minutes],
  ] as const)('%s', (_what, read, staleMs) => {
    test('is stale when its time is up, and then asked for by the next screen', async () => {
      shown(read)
      await pass(0)
      await pass(staleMs - 1)
      shown(read)
      await pass(0)
      expect(asked).toBe(1)
      await pass(1)
      shown(read)
      await pass(0)
      expect(asked).toBe(2)
    })

    test('is kept for 5 minutes after its last screen has gone', async () => {
      const close = shown(read)
      await pass(1)
      close()
      await pass(5 * minutes - 1)
      expect(state(read.queryKey)).toBeDefined()
      await pass(1)
      expect(state(read.queryKey)).toBeUndefined()
    })
  })
})

describe('query constants', () => {
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
    expect(await screen.findByText(teacher.username)).toBeInTheDocument()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Menu Calendar',
      'Order History',
    ])
    expect(screen.getByRole('tab', { name: 'Menu Calendar' })).toHaveAttribute('aria-selected', 'true')
  })
})

describe('school clock', () => {
  afterEach(() => {
    jest.restoreAllMocks()
    setSchoolNow(new Date().toISOString())
  })

  const hourMs = 3_600_000

  test('a page that is opened after its device slept was answered just now', () => {
    const timing = { responseStart: performance.now() - 300 } as PerformanceNavigationTiming
    performance.getEntriesByType = () => [timing]
    // The browser's own account of when the page began is behind by as long as the device slept.
    jest.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(performance.timeOrigin - 8 * hourMs)
    expect(Math.abs(Date.now() - 300 - preloadedAt())).toBeLessThan(hourMs / 60)
  })

  test('each answer of the server tells the time anew, where it tells more than is known', () => {
    const device = Date.parse('2026-11-25T06:00:00Z')
    hearSchoolTime('2026-11-25T07:00:00.000Z', device, device + 2_000)
    expect(schoolNow(device)).toBe('2026-11-25T06:59:59.000Z')
    // The answer took long: the clock that fits is the better one.
    hearSchoolTime('2026-11-25T07:10:00.000Z', device + 10 * 60_000 - 30_000, device + 10 * 60_000 + 30_000)
    expect(schoolNow(device)).toBe('2026-11-25T06:59:59.000Z')
    // The device's clock was set back by an hour meanwhile.
    hearSchoolTime('2026-11-25T07:20:00.000Z', device - hourMs + 20 * 60_000, device - hourMs + 20 * 60_000)
    expect(schoolNow(device - hourMs)).toBe('2026-11-25T07:00:00.000Z')
    hearSchoolTime(null, device, device)
    hearSchoolTime('no time', device, device)
    expect(schoolNow(device - hourMs)).toBe('2026-11-25T07:00:00.000Z')
  })

  test('calls take the time from the header of the answer', async () => {
    freshPortal()
    const network = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      const response = await network(address, init)
      response.headers.set('School-Time', '2031-05-06T05:05:00.000Z')
      return response
    }
    await call(listMenu, {})
    expect(schoolNow()).toMatch(/^2031-05-06T05:0[45]:/)
  })

  test('a page that is seen again asks what time it is', async () => {
    const server = freshPortal()
    openPortal('/', parent)
    await act(async () => undefined)
    server.on(portal, {
      schoolName: 'Hill School',
      timezone: 'Africa/Lusaka',
      demo: false,
      now: '2031-05-06T05:05:00.000Z',
    })
    const before = server.asked(portal).length
    await act(async () => {
      focusManager.setFocused(false)
      focusManager.setFocused(true)
    })
    focusManager.setFocused(undefined)
    expect(server.asked(portal).length).toBeGreaterThan(before)
    expect(schoolNow()).toMatch(/^2031-05-06T05:05:/)
  })
})
