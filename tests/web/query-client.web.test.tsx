import {
  MutationObserver,
  QueryObserver,
  focusManager,
  onlineManager,
  type QueryClient,
} from '@tanstack/react-query'
import { calendarCutoffQuery } from '../../web/queries/cycles'
import { ordersQuery } from '../../web/features/orders/api'
import { makeQueryClient } from '../../web/lib/endpoint-query'

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
