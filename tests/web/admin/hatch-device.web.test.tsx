import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { logout } from '#contracts/identity'
import { sendMarks, serving } from '#contracts/serving'
import { hatchUserOnDevice, keepList, queueMark } from '../../../web/features/hatch/device/device-store'
import { press } from '../open-portal'
import {
  atAFreshDevice,
  leaveTheDevice,
  chipo,
  cut,
  gone,
  grace,
  type HatchServer,
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
    await said('No connection. What you mark is kept on this device.')
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
    await said('No answer from the school. What you mark is kept on this device.')
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
    await said(/^1 mark waits to be sent\. They stay/)
  })
})
