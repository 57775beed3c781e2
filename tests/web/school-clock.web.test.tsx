import { act } from '@testing-library/react'
import { focusManager } from '@tanstack/react-query'
import { portal } from '#contracts/identity'
import { listMenu } from '#contracts/catalogue'
import { call } from '../../web/lib/call'
import { hearSchoolTime, schoolNow, setSchoolNow } from '../../web/lib/school-moment'
import { preloadedAt } from '../../web/lib/preloaded-data'
import { freshPortal, openPortal } from './open-portal'
import { parent } from './sample-family'

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
