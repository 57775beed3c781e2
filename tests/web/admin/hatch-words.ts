import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { logout, portal } from '#contracts/identity'
import {
  notCollected,
  sendMarks,
  serving,
  type MarkResult,
  type SentMark,
  type ServedLunch,
  type Serving,
} from '#contracts/serving'
import {
  hatchUserOnDevice,
  dismissNotices,
  readQueue,
  settleMarks,
} from '../../../web/features/hatch/device/device-store'
import { servedLunch } from '../../support/served-lunch'
import { fakeServer, type Asked } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'

export const today = '2026-11-24'
export const grace = { ...adminWith('kitchen'), id: 2, username: 'grace', name: 'Grace Phiri' }
export const mary = { ...adminWith('kitchen'), id: 3, username: 'mary', name: 'Mary Zulu' }

export const lunch = (number: number, student: string, more: Partial<ServedLunch> = {}): ServedLunch =>
  servedLunch(today, number, student, more)
export const chipo = lunch(1, 'Chipo Banda')
export const mutale = lunch(2, 'Mutale Mwansa')

export const listOf = (...lunches: ServedLunch[]): Serving => ({ date: today, at: null, lunches })

/** The marks that the server was sent, request by request. */
export const sent = (server: HatchServer): SentMark[][] =>
  server.asked(sendMarks).map(({ body }) => (body as { marks: SentMark[] }).marks)

const marksIn = ({ body }: Asked) => (body as { marks: SentMark[] }).marks

/** Answers each mark with this, whatever it says. */
export const answering =
  (answer: Omit<MarkResult, 'markId'>) =>
  (asked: Asked): { results: MarkResult[] } => ({
    results: marksIn(asked).map(({ markId }) => ({ markId, ...answer })),
  })

/** The lunch once the server has kept a mark of it. */
const marked = (lunch: ServedLunch, { markId, orderId, kind, at, note }: SentMark): ServedLunch => {
  if (lunch.orderId !== orderId) return lunch
  return { ...lunch, mark: kind === 'undone' ? null : { markId, kind, at, by: 'grace', note: note ?? null } }
}

/** A server with the lunches of today that keeps every mark; it is noon in the school. */
export const hatchServer = (...lunches: ServedLunch[]) => {
  const server = fakeServer()
  let now = lunches.length > 0 ? lunches : [chipo, mutale]
  server.on(portal, {
    schoolName: 'Hill School',
    timezone: 'Africa/Lusaka',
    demo: false,
    now: `${today}T10:00:00.000Z`,
  })
  server.on(serving, () => listOf(...now))
  server.on(notCollected, { date: today, at: null, classes: [] })
  server.on(sendMarks, (asked) => {
    for (const mark of marksIn(asked)) now = now.map((one) => marked(one, mark))
    return answering({ result: 'kept', code: null, other: null })(asked)
  })
  server.on(logout, { message: 'ok' })
  return server
}
export type HatchServer = ReturnType<typeof hatchServer>

const timers = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'cancelIdleCallback',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const

/** The device's clock stands where it is set; timers run. Waiting for what a screen shows would else make hours pass. */
const onlyTheClockIsFake = () => jest.useFakeTimers({ doNotFake: [...timers] })

/** A device that was never at the hatch; `now`: the time by its clock, an ISO instant. */
const freshDevice = async (now = `${today}T10:00:00.000Z`) => {
  globalThis.indexedDB = new IDBFactory()
  localStorage.clear()
  jest.setSystemTime(new Date(now))
  const { waiting } = await readQueue()
  await settleMarks(
    waiting.map(({ mark }) => mark.markId),
    [],
  )
  for (const { id } of [grace, mary]) await dismissNotices(id)
}

/** Begins a test at a device that was never at the hatch, with a server that knows the usual lunches. */
export const atAFreshDevice = async (): Promise<HatchServer> => {
  onlyTheClockIsFake()
  await freshDevice()
  return hatchServer()
}

/** Ends what a test has changed for those after it. */
export const leaveTheDevice = () => {
  jest.restoreAllMocks()
  onlineManager.setOnline(true)
  forgetToasts()
  jest.useRealTimers()
}

export const noNetwork = () => {
  throw new TypeError('Failed to fetch')
}

/** Cuts the network, or mends it. */
export const cut = (isCut: boolean) =>
  act(() => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isCut)
    onlineManager.setOnline(!isCut)
    window.dispatchEvent(new Event(isCut ? 'offline' : 'online'))
  })

/** What stands in the row of this child. */
export const rowOf = async (student: string) =>
  within((await screen.findByRole('heading', { name: new RegExp(`^${student}`), level: 3 })).closest('li')!)

/** The names of the children in the rows, from the first. */
export const shownNames = () =>
  screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.firstChild!.textContent)

/** The marks that wait on this device. */
export const waitingMarks = () => act(async () => (await readQueue()).waiting)

export const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
export const gone = (text: string | RegExp) =>
  waitFor(() => expect(screen.queryByText(text)).not.toBeInTheDocument())

/** Opens the hatch with a connection, so that the device has the list. */
export const openHatch = async (user = grace) => {
  const hands = openConsole('/serve', user)
  await screen.findByRole('button', { name: /^Give Mutale/ })
  await waitFor(async () => expect(await hatchUserOnDevice()).not.toBeNull())
  return hands
}

export const markOf = (user: typeof grace, number: number) => ({
  user: { id: user.id, name: user.username },
  mark: {
    markId: `00000000-0000-4000-8000-${String(user.id * 1000 + number).padStart(12, '0')}`,
    orderId: `${number}.${today}.1`,
    kind: 'given' as const,
    at: `${today}T09:00:00.000Z`,
  },
})

/** Hears what is put off by so many ms from now on; answers what lets that time be over. */
export const callsLater = (afterMs: number) => {
  const put = jest.spyOn(globalThis, 'setTimeout')
  return () =>
    act(() => {
      for (const [call, ms] of put.mock.calls) if (ms === afterMs) (call as () => void)()
    })
}
