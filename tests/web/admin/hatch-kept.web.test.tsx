import { onlineManager } from '@tanstack/react-query'
import { cleanup, screen } from '@testing-library/react'
import {
  cut,
  freshDevice,
  grace,
  hatchServer,
  onlyTheClockIsFake,
  openHatch,
  said,
  today,
} from './hatch-words'
import { forgetToasts, openConsole } from './open-console'

beforeEach(async () => {
  onlyTheClockIsFake()
  await freshDevice()
  hatchServer()
})
afterEach(() => {
  onlineManager.setOnline(true)
  forgetToasts()
  jest.useRealTimers()
})

// A file of its own: no server has told these pages what day it is, which shuts a list of an earlier one.
test('a list is shown for 36 hours and not longer', async () => {
  await openHatch()
  cleanup()
  cut(true)
  const readAt = Date.parse(`${today}T10:00:00.000Z`)
  jest.setSystemTime(readAt + 36 * 3_600_000)
  openConsole('/serve', grace)
  await said('These are the lunches of Tuesday, 24 November 2026')
  await screen.findByText('Chipo Banda')
  cleanup()
  jest.setSystemTime(readAt + 36 * 3_600_000 + 60_000)
  openConsole('/serve', grace)
  await said('No list on this device')
  expect(screen.queryByText('Chipo Banda')).not.toBeInTheDocument()
})
