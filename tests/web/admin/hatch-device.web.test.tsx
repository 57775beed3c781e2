import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { logout, currentUser, login } from '#contracts/identity'
import { type SentMark, sendMarks, serving } from '#contracts/serving'
import { hatchUserOnDevice, keepList, queueMark } from '../../../web/features/hatch/device/device-store'
import { press } from '../open-portal'
import { type Asked, refusal } from './fake-server'
import {
  type HatchServer,
  atAFreshDevice,
  leaveTheDevice,
  chipo,
  cut,
  gone,
  grace,
  listOf,
  lunch,
  markOf,
  mary,
  mutale,
  noNetwork,
  openHatch,
  rowOf,
  said,
  sent,
  today,
  waitingMarks,
  answering,
  shownNames,
} from './hatch-words'
import { openConsole } from './open-console'

let server: HatchServer
beforeEach(async () => {
  server = await atAFreshDevice()
})
afterEach(leaveTheDevice)

describe('without a connection', () => {
  test('it opens with the list of before, and says how old that is', async () => {
    await openHatch()
    cleanup()
    cut(true)
    jest.setSystemTime(new Date(`${today}T10:12:00.000Z`))
    openConsole('/serve', grace)
    await screen.findByRole('button', { name: 'Give Chipo Banda' })
    await said('List of 12:00, 12 min old')
    await said('No connection. Marks are kept on this device.')
  })

  test('it takes marks, shows none as sent, and sends them in their order when the connection is back', async () => {
    const hands = await openHatch()
    cut(true)
    await press(hands, 'Give Chipo Banda')
    await press(hands, 'Give Mutale Mwansa')
    await said('2 marks wait to be sent')
    expect(screen.queryByText('All sent')).not.toBeInTheDocument()
    expect((await rowOf('Chipo Banda')).getByText('Not sent yet')).toBeInTheDocument()
    expect(sent(server)).toEqual([])
    cleanup()
    openConsole('/serve', grace)
    await said('2 marks wait to be sent')
    cut(false)
    await said('All sent')
    expect(sent(server)).toHaveLength(1)
    expect(
      sent(server)
        .flat()
        .map(({ orderId }) => orderId),
    ).toEqual([chipo.orderId, mutale.orderId])
  })

  test('which the browser does not know of, it says so as soon as no answer comes', async () => {
    await openHatch()
    cleanup()
    server.on(serving, noNetwork)
    openConsole('/serve', grace)
    await screen.findByRole('button', { name: 'Give Chipo Banda' })
    await said('No answer from the school. Marks are kept on this device.')
    await said('List of 12:00, 0 min old')
    expect(screen.getByText('All sent')).not.toHaveClass('text-brand-800')
  })

  test('a device that never had a list says what to do', async () => {
    cut(true)
    openConsole('/serve', grace)
    await said('No list on this device')
  })
})

describe('the list on the device', () => {
  test('is fresh while the server answers: then nothing is said of its age', async () => {
    await openHatch()
    expect(screen.queryByText(/^List of/)).not.toBeInTheDocument()
  })

  test('of an earlier day is gone at the first opening of a later one', async () => {
    await openHatch()
    cleanup()
    server.on(serving, { date: '2026-11-25', at: null, lunches: [lunch(9, 'Natasha Zulu')] })
    openConsole('/serve', grace)
    await screen.findByText('Natasha Zulu')
    cleanup()
    cut(true)
    openConsole('/serve', grace)
    await screen.findByText('Natasha Zulu')
    expect(screen.queryByText('Chipo Banda')).not.toBeInTheDocument()
  })

  test('is gone after signing out, here and in every tab', async () => {
    const hands = await openHatch()
    await press(hands, 'Logout')
    await screen.findByRole('button', { name: 'Login to Portal' })
    await waitFor(async () => expect(await hatchUserOnDevice()).toBeNull())
  })

  test('is gone when another tab signs out', async () => {
    await openHatch()
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'tuckshop-signed-out', newValue: '1' }))
    })
    await screen.findByRole('button', { name: 'Login to Portal' })
    await waitFor(async () => expect(await hatchUserOnDevice()).toBeNull())
  })

  test('is gone after signing out of which the server could not be told', async () => {
    server.on(logout, noNetwork)
    const hands = await openHatch()
    await press(hands, 'Logout')
    await said('Failed to logout')
    expect(await act(() => hatchUserOnDevice())).toBeNull()
  })

  test('of somebody else is not shown', async () => {
    const source = {
      user: { id: mary.id, name: 'mary' },
      readAt: Date.now(),
      timeZone: 'Africa/Lusaka',
      aheadMs: 0,
    }
    await keepList({ ...listOf(lunch(7, 'Secret Child')), source })
    cut(true)
    openConsole('/serve', grace)
    await said('No list on this device')
    expect(await act(() => hatchUserOnDevice())).toBeNull()
  })
})

const markAndLeave = async () => {
  const hands = await openHatch()
  server.on(sendMarks, noNetwork)
  await press(hands, 'Give Chipo Banda')
  await press(hands, 'Give Mutale Mwansa')
  await said('2 marks wait to be sent')
  await press(hands, 'Logout')
  await said(/^2 marks wait to be sent\. They stay/)
  return hands
}

describe('signing out while marks wait', () => {
  test('asks, and Stay stays', async () => {
    const hands = await markAndLeave()
    await press(hands, 'Stay')
    await gone(/^2 marks wait to be sent\. They stay/)
    expect(server.asked(logout)).toHaveLength(0)
    expect(await act(() => hatchUserOnDevice())).not.toBeNull()
  })

  test('keeps the marks and not the list; they hold no names of children', async () => {
    const hands = await markAndLeave()
    await press(hands, 'Sign out and keep them')
    await screen.findByRole('button', { name: 'Login to Portal' })
    expect(await act(() => hatchUserOnDevice())).toBeNull()
    const kept = await waitingMarks()
    expect(kept).toHaveLength(2)
    expect(JSON.stringify(kept)).not.toMatch(/Chipo|Mutale/)
  })

  test('is asked in the console too', async () => {
    await openHatch()
    await act(() => queueMark(markOf(grace, 1)))
    cleanup()
    const hands = openConsole('/settings', grace)
    await press(hands, 'Logout')
    await said(/^1 mark waits to be sent\. It stays on this device and is sent/)
  })
})

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

describe('a lunch', () => {
  test('stays where it is while a finger is down', async () => {
    const hands = openConsole('/serve', grace)
    const give = await screen.findByRole('button', { name: 'Give Mutale Mwansa' })
    await hands.pointer({ keys: '[MouseLeft>]', target: give })
    server.on(serving, listOf(lunch(3, 'Aaron Zulu'), chipo, mutale))
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(server.asked(serving).length).toBeGreaterThan(1))
    // Read, and drawn where anything would move.
    await act(async () => undefined)
    expect(shownNames()).toEqual(['Chipo Banda', 'Mutale Mwansa'])
    await hands.pointer({ keys: '[/MouseLeft]', target: give })
    await waitFor(() => expect(shownNames()).toEqual(['Aaron Zulu', 'Chipo Banda', 'Mutale Mwansa']))
    await waitFor(() => expect(sent(server).flat()[0]).toMatchObject({ orderId: mutale.orderId }))
  })
})
