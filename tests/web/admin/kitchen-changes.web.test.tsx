import { screen, waitFor, within } from '@testing-library/react'
import { kitchenChanges, kitchenToday, notePrint, type KitchenChange } from '#contracts/kitchen'
import { sincePrinted } from '../../../web/features/kitchen/changes'
import type { FakeServer } from './fake-server'
import { cook, kitchenOf, kitchenServer, row } from './kitchen-words'
import { forgetToasts, openConsole } from './open-console'

let server: FakeServer
beforeEach(() => {
  server = kitchenServer()
})
afterEach(forgetToasts)

const since = '2026-09-14T05:02:00.000Z'
const change = (more: Partial<KitchenChange>): KitchenChange => ({
  at: '2026-09-14T05:03:00.000Z',
  kind: 'ordered',
  orderId: '1.2026-09-14.1',
  student: 'Chanda',
  grade: '4',
  class: null,
  from: null,
  to: 'Porridge, Banana',
  ...more,
})
const cancelled = change({
  kind: 'cancelled',
  orderId: '2.2026-09-14.1',
  from: 'Stew, beef',
  to: null,
  student: 'Bupe',
})

test.each([
  ['nothing', [], null],
  ['more', [change({}), change({}), cancelled], '1 more since you printed'],
  ['fewer', [cancelled], '1 fewer since you printed'],
  ['another meal', [change({ kind: 'changed', from: 'Stew' })], '1 change since you printed'],
  ['never printed', [change({ at: since })], null],
] as const)('what changed since the print, in words: %s', (_which, changes, words) => {
  expect(sincePrinted({ since, changes })).toBe(words)
})

const openAt = (time: string) => {
  jest.useFakeTimers({ now: new Date(`2026-09-14T${time}+02:00`), advanceTimers: true })
  server.on(kitchenToday, { ...kitchenOf(row({})), date: '2026-09-14' })
  openConsole('/', cook)
}

describe('the state of the day', () => {
  afterEach(() => jest.useRealTimers())
  test('until the cutoff today can be ordered; and what changed since it was printed', async () => {
    server.on(kitchenChanges, { at: since, since, changes: [change({})] })
    openAt('07:59:00')
    expect(
      await screen.findByText('Ordering for today is open until 08:00 · 1 more since you printed'),
    ).toBeInTheDocument()
  })

  test('after the cutoff it is final', async () => {
    openAt('08:00:00')
    expect(await screen.findByText('Final since 08:00')).toBeInTheDocument()
  })
})

test('the changes are a slip that is printed, and printing is noted', async () => {
  window.print = jest.fn()
  server.on(kitchenChanges, { at: since, since, changes: [change({}), cancelled] })
  const user = openConsole('/', cook)
  await user.click(await screen.findByRole('button', { name: 'Changes' }))
  expect(await screen.findByText('Since 14 September 2026 at 07:02')).toBeInTheDocument()
  const table = within(screen.getByRole('table'))
  expect(
    table
      .getAllByRole('row')
      .slice(-2)
      .map((row) => row.textContent),
  ).toEqual([
    '14 September, 07:03OrderedChanda, Grade 4Porridge, Banana',
    '14 September, 07:03CancelledBupe, Grade 4Stew, beef',
  ])
  await user.click(screen.getByRole('button', { name: 'Print changes' }))
  await waitFor(() => expect(window.print).toHaveBeenCalledTimes(1))
  expect(server.asked(notePrint)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Back to portions' }))
  expect(await screen.findByText('Beef Stew')).toBeInTheDocument()
})

test('the slip is read at the press, and what is printed is what is noted', async () => {
  const late = '2026-09-14T05:04:00.000Z'
  const onPaper: (string | null)[] = []
  window.print = jest.fn(() => void onPaper.push(screen.getByRole('table').textContent))
  server.on(kitchenChanges, { at: '2026-09-14T05:03:00.001Z', since, changes: [change({})] })
  const user = openConsole('/', cook)
  await user.click(await screen.findByRole('button', { name: 'Changes' }))
  await screen.findByText('Chanda, Grade 4')
  server.on(kitchenChanges, {
    at: '2026-09-14T05:04:00.001Z',
    since,
    changes: [change({}), { ...cancelled, at: late }],
  })
  await user.click(screen.getByRole('button', { name: 'Print changes' }))
  await waitFor(() => expect(onPaper).toEqual([expect.stringContaining('Bupe')]))
  expect(server.asked(notePrint).map(({ body }) => body)).toEqual([
    { date: expect.any(String), at: '2026-09-14T05:04:00.001Z' },
  ])
})

test('a day without changes says so', async () => {
  const user = openConsole('/', cook)
  await user.click(await screen.findByRole('button', { name: 'Changes' }))
  expect(await screen.findByText('Nothing has changed')).toBeInTheDocument()
})
