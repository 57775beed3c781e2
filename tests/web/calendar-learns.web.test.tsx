import { act, waitFor } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { untilDaysChange } from '../../web/queries/cycles'
import type { FakeServer } from './admin/fake-server'
import { dayCard, freshPortal, openPortal } from './open-portal'
import { cycle, parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const closedToday = {
  ...cycle,
  weeks: cycle.weeks!.map((week) => ({
    ...week,
    days: week.days.map((day) => (day.state === 'open' ? { ...day, state: 'cutoff' as const } : day)),
  })),
}

const asked = () => server.asked(listCycles).length

test('a page that is seen again reads the calendar again', async () => {
  openPortal('/', parent)
  await dayCard('Tuesday 15')
  const before = asked()
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await waitFor(() => expect(asked()).toBe(before + 1))
})

test('and so does one whose connection is back', async () => {
  openPortal('/', parent)
  await dayCard('Tuesday 15')
  const before = asked()
  act(() => void window.dispatchEvent(new Event('offline')))
  act(() => void window.dispatchEvent(new Event('online')))
  await waitFor(() => expect(asked()).toBe(before + 1))
})

test('at the cutoff the days close by themselves', async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['queueMicrotask'] })
  try {
    server.on(listCycles, [{ ...cycle, nextChangeInMs: 60_000 }])
    openPortal('/', parent)
    expect((await dayCard('Tuesday 15')).queryByText("Today's orders have closed")).not.toBeInTheDocument()
    server.on(listCycles, [closedToday])
    await act(() => jest.advanceTimersByTimeAsync(61_000))
    expect(await (await dayCard('Tuesday 15')).findByText("Today's orders have closed")).toBeInTheDocument()
  } finally {
    jest.useRealTimers()
  }
})

test('how long that is the server says, and without an active cycle nothing changes by itself', () => {
  expect(untilDaysChange([{ ...cycle, nextChangeInMs: 60_000 }])).toBe(61_000)
  expect(untilDaysChange([{ ...cycle, isActive: false }])).toBe(false)
  expect(untilDaysChange(undefined)).toBe(false)
})
