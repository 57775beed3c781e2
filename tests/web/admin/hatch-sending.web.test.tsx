import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { currentUser, login } from '#contracts/identity'
import { sendMarks, serving, type SentMark } from '#contracts/serving'
import { hatchUserOnDevice, queueMark } from '../../../web/features/hatch/device/device-store'
import { press } from '../open-portal'
import { type Asked, refusal } from './fake-server'
import {
  atAFreshDevice,
  leaveTheDevice,
  answering,
  chipo,
  gone,
  grace,
  type HatchServer,
  listOf,
  markOf,
  mary,
  mutale,
  noNetwork,
  openHatch,
  rowOf,
  said,
  sent,
  shownNames,
  today,
  waitingMarks,
} from './hatch-words'
import { openConsole } from './open-console'

let server: HatchServer
beforeEach(async () => {
  server = await atAFreshDevice()
})
afterEach(leaveTheDevice)

describe('whose marks they are', () => {
  test('those of another user wait for that one, and whose lunches they are is not told', async () => {
    await queueMark(markOf(mary, 8))
    await queueMark(markOf(mary, 9))
    await openHatch()
    await said('2 marks of mary wait to be sent')
    await said('All sent')
    expect(screen.queryByText(/Banda.*mary|mary.*Banda/)).not.toBeInTheDocument()
    expect(sent(server)).toEqual([])
    expect(await waitingMarks()).toHaveLength(2)
  })

  test('of a user in whose place another signs in in another tab, they are not sent as that one', async () => {
    server.on(currentUser, mary)
    const hands = await openHatch()
    server.on(sendMarks, noNetwork)
    await press(hands, 'Give Chipo Banda')
    await waitFor(() => expect(server.asked(sendMarks)).toHaveLength(1))
    server.on(sendMarks, answering({ result: 'kept', code: null, other: null }))
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'tuckshop-signed-in', newValue: '3 1' }))
    })
    await said('1 mark of grace waits to be sent')
    await said('Handed out by mary')
    expect(sent(server)).toEqual([])
  })

  test('after a 401 they wait until that user signs in', async () => {
    const hands = await openHatch()
    server.on(sendMarks, () => refusal(401, 'not_signed_in', 'Please sign in'))
    await press(hands, 'Give Chipo Banda')
    await hands.type(await screen.findByLabelText('Username'), 'grace')
    await hands.type(screen.getByLabelText('Password'), 'ten characters')
    expect(await waitingMarks()).toHaveLength(1)
    expect(await act(() => hatchUserOnDevice())).toBeNull()
    server.on(sendMarks, answering({ result: 'kept', code: null, other: null }))
    server.on(login, grace)
    await press(hands, 'Login to Portal')
    await said('All sent')
    expect(sent(server).flat()).toHaveLength(1)
    expect(await waitingMarks()).toEqual([])
  })
})

const other = { markId: '00000000-0000-4000-8000-000000000777', by: 'mary', at: `${today}T10:31:00.000Z` }

describe('what the server says of a mark', () => {
  test.each([
    [
      'already',
      { result: 'already', code: null, other: { ...other, kind: 'given' } },
      'Already given by mary at 12:31',
      'Given by mary at 12:31',
    ],
    [
      'conflict',
      { result: 'conflict', code: null, other: { ...other, kind: 'absent' } },
      '“Given” was not kept: absent, said by mary at 12:31',
      'Absent, said by mary at 12:31',
    ],
    [
      'refused',
      { result: 'refused', code: 'order_cancelled', other: null },
      '“Given” was refused: this lunch was cancelled',
      null,
    ],
  ] as const)(
    '%s is told on the row and above the list until it is put away',
    async (_what, answer, words, stands) => {
      server.on(sendMarks, answering(answer))
      const standing = answer.other && { ...answer.other, note: null }
      const hands = await openHatch()
      server.on(serving, listOf({ ...chipo, mark: standing }, mutale))
      await press(hands, 'Give Chipo Banda')
      await said('1 mark was changed by the server')
      expect(screen.getByText(`: ${words}`).textContent).toBe(`Chipo Banda: ${words}`)
      const row = await rowOf('Chipo Banda')
      expect(row.getByText(words)).toBeInTheDocument()
      if (stands) expect(row.getByText(stands)).toBeInTheDocument()
      else expect(row.getByRole('button', { name: 'Give Chipo Banda' })).toBeInTheDocument()
      expect(row.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
      await press(hands, 'Dismiss')
      await gone('1 mark was changed by the server')
      expect(row.queryByText(words)).not.toBeInTheDocument()
    },
  )

  test('is still told after the page was closed', async () => {
    server.on(sendMarks, answering({ result: 'refused', code: 'order_cancelled', other: null }))
    const hands = await openHatch()
    await press(hands, 'Give Chipo Banda')
    await said('1 mark was changed by the server')
    cleanup()
    openConsole('/serve', grace)
    await said('1 mark was changed by the server')
  })
})

describe('sending', () => {
  test('a failed call keeps all that it held', async () => {
    server.on(sendMarks, noNetwork)
    const hands = await openHatch()
    await press(hands, 'Give Chipo Banda')
    await waitFor(() => expect(server.asked(sendMarks).length).toBeGreaterThan(0))
    await said('1 mark waits to be sent')
    expect(await waitingMarks()).toHaveLength(1)
  })

  test('is tried again when the page is seen again', async () => {
    server.on(sendMarks, noNetwork)
    const hands = await openHatch()
    await press(hands, 'Give Chipo Banda')
    await waitFor(() => expect(server.asked(sendMarks)).toHaveLength(1))
    server.on(sendMarks, answering({ result: 'kept', code: null, other: null }))
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    // Far sooner than it would be tried by itself.
    await waitFor(() => expect(sent(server)).toHaveLength(1), { timeout: 5_000 })
  })

  test('is tried again when the connection is back, also on a page that was opened without one', async () => {
    server.on(sendMarks, noNetwork)
    const hands = await openHatch()
    await press(hands, 'Give Chipo Banda')
    await waitFor(() => expect(server.asked(sendMarks)).toHaveLength(1))
    await said('1 mark waits to be sent')
    const reads = server.asked(serving).length
    server.on(sendMarks, answering({ result: 'kept', code: null, other: null }))
    // React Query takes the page for connected and hears nothing new in this.
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(sent(server)).toHaveLength(1), { timeout: 5_000 })
    expect(server.asked(serving).length).toBeGreaterThan(reads)
  })

  test('is tried again every 15 s', async () => {
    server.on(sendMarks, noNetwork)
    const hands = await openHatch()
    await press(hands, 'Give Chipo Banda')
    await waitFor(() => expect(server.asked(sendMarks)).toHaveLength(1))
    server.on(sendMarks, answering({ result: 'kept', code: null, other: null }))
    await waitFor(() => expect(sent(server)).toHaveLength(1))
    await said('All sent')
  })

  test('a mark that was not answered waits on', async () => {
    server.on(sendMarks, ({ body }: Asked) => {
      const [first] = (body as { marks: SentMark[] }).marks
      return { results: [{ markId: first!.markId, result: 'kept' as const, code: null, other: null }] }
    })
    for (const number of [1, 2]) await queueMark(markOf(grace, number))
    await openHatch()
    await said('All sent')
    expect(sent(server).map((marks) => marks.length)).toEqual([2, 1])
  })

  test('at most 500 in a call, in their order', async () => {
    for (let number = 1; number <= 501; number += 1) await queueMark(markOf(grace, number))
    openConsole('/serve', grace)
    await said('All sent')
    expect(sent(server).map((marks) => marks.length)).toEqual([500, 1])
    expect(
      sent(server)
        .flat()
        .map(({ orderId }) => Number.parseInt(orderId, 10)),
    ).toEqual(Array.from({ length: 501 }, (_, index) => index + 1))
  })

  test('one that the server cannot read is found and told; the others are sent', async () => {
    server.on(sendMarks, (asked) => {
      const { marks } = asked.body as { marks: SentMark[] }
      if (marks.some(({ orderId }) => orderId.startsWith('3.')))
        return refusal(422, 'invalid', 'The note is too long')
      return answering({ result: 'kept', code: null, other: null })(asked)
    })
    for (const number of [1, 2, 3, 4, 5]) await queueMark(markOf(grace, number))
    openConsole('/serve', grace)
    await said('All sent')
    await said('1 mark was changed by the server')
    expect(screen.getByText(/“Given” was refused: The note is too long/)).toBeInTheDocument()
    expect(await waitingMarks()).toEqual([])
  })

  test('a device without room says that marks are lost when the page is closed', async () => {
    const hands = await openHatch()
    server.on(sendMarks, noNetwork)
    const full = indexedDB
    globalThis.indexedDB = {
      open: () => {
        throw new DOMException('no room', 'QuotaExceededError')
      },
    } as never
    await press(hands, 'Give Chipo Banda')
    await said('This device has no room left')
    globalThis.indexedDB = full
    expect(shownNames()).toContain('Chipo Banda')
  })
})
