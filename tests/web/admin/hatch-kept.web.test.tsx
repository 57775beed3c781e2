import { cleanup, screen } from '@testing-library/react'
import { atAFreshDevice, leaveTheDevice, cut, grace, openHatch, said, today } from './hatch-words'
import { openConsole } from './open-console'

beforeEach(async () => void (await atAFreshDevice()))
afterEach(leaveTheDevice)

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
