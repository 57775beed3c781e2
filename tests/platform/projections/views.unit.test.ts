import { z } from 'zod'
import { eventType } from '#kernel/event'
import type { Database } from '#platform/database'
import { naming, PoisonEvent, publicErrorText } from '#platform/failures'
import type { Notifications } from '#platform/ports'
import { viewsPassedChannel, viewsWatch } from '#platform/projections/projector'
import { changesOf, rowsView, rowView, touchReader } from '#platform/projections/row-view'
import { heardLog } from '../../support/captured-log'
import { talliesView, numbersView, numberEvents } from '../../support/projecting'
import { counted, noted, recorded, recordedEvents } from '../../support/recorded-events'
import { viewSpec } from '../../support/view-spec'

const rowOfOne = {
  name: 'recorded-1',
  total: 5,
  times: 1,
  average: 5,
  last_at: '2026-09-16T07:00:00.000Z',
  last_day: '2026-09-16',
  numbers: [5],
  note: null,
  even: false,
}

test('the first event of a key makes its row', () => {
  viewSpec(talliesView)
    .given(counted({ number: 5 }))
    .thenRow('recorded-1', rowOfOne)
})

test('each further event changes it once', () => {
  viewSpec(talliesView)
    .given(...numberEvents(5, 3), noted({ text: 'two' }))
    .thenRow('recorded-1', {
      ...rowOfOne,
      total: 8,
      times: 2,
      average: 4,
      numbers: [5, 3],
      note: { text: 'two', length: 3 },
      even: true,
    })
})

test('a step that answers null removes the row, and a later event may make it anew', () => {
  viewSpec(talliesView)
    .given(...numberEvents(5, 0))
    .thenNoRow('recorded-1')
  viewSpec(talliesView)
    .given(...numberEvents(7, 0, 5))
    .thenRows([rowOfOne])
})

test('events of several streams touch their own rows and the rows they share', () => {
  const events = [
    recorded(counted({ number: 2 }), { stream: 'a-1' }),
    recorded(counted({ number: 2 }), { stream: 'b-1' }),
  ]
  viewSpec(numbersView)
    .given(...events)
    .thenRows([{ number: 2, times: 2 }])
})

test('a row that no step changed is not written', () => {
  const touches = touchReader([talliesView])(recordedEvents(noted({ text: 'nobody' })))
  expect(changesOf(new Map(), touches)).toEqual([{ view: talliesView, written: [], deleted: [] }])
})

test('a row made and removed in one batch is neither written nor deleted', () => {
  const touches = touchReader([talliesView])(recordedEvents(...numberEvents(5, 0)))
  expect(changesOf(new Map(), touches)).toEqual([{ view: talliesView, written: [], deleted: [] }])
})

test('events that no view wants are passed over', () => {
  expect(touchReader([numbersView])(recordedEvents(noted({ text: 'unheard' })))).toEqual([])
})

test('an event under an older name reaches the step in its new shape', () => {
  const weighed = eventType('test.weighed.v2', z.strictObject({ grams: z.int() }), {
    'test.weighed.v1': (old: { kilograms: number }) => ({ grams: old.kilograms * 1000 }),
  })
  const weights = rowView({
    table: 'example.weights',
    columns: { id: 'text', grams: 'integer' },
    primaryKey: 'id',
    events: [weighed],
    key: ({ stream }) => stream,
    evolve: (_row: { id: string; grams: number } | null, { stream, type, data: { grams } }) => ({
      id: stream,
      grams: type === weighed.type ? grams : -1,
    }),
  })
  viewSpec(weights)
    .given({ type: 'test.weighed.v1', data: { kilograms: 3 } })
    .thenRow('recorded-1', { id: 'recorded-1', grams: 3000 })
})

test('an event whose data is not what its type says stops the fold', () => {
  const odd = recordedEvents({ type: counted.type, data: { number: 'seven' } })
  expect(() => touchReader([numbersView])(odd)).toThrow(
    expect.objectContaining({
      message: 'event 0 of stream recorded-1 (test.counted.v1) cannot be taken in',
      cause: expect.any(z.ZodError),
    }),
  )
})

test('a step that makes a row for another key stops the fold', () => {
  const astray = rowView({
    table: 'example.astray',
    columns: { id: 'text' },
    primaryKey: 'id',
    events: [counted],
    key: ({ stream }) => stream,
    evolve: (_row: { id: string } | null) => ({ id: 'elsewhere' }),
  })
  const touches = touchReader([astray])(recordedEvents(...numberEvents(1)))
  expect(() => changesOf(new Map(), touches)).toThrow(
    'View example.astray made of test.counted.v1 a row elsewhere under the keys recorded-1',
  )
})

type Numbered = { id: string; number: number }

/** The first word of each stream gets the next number; the row `last` tells the last one. */
const inOrderView = rowsView({
  table: 'example.in_order',
  columns: { id: 'text', number: 'integer' },
  primaryKey: 'id',
  events: [noted],
  keys: ({ stream }) => [stream, 'last'],
  evolveRows: (rows: ReadonlyMap<string, Numbered>, { stream, data }): Numbered[] => {
    if (data.text === 'astray') return [{ id: 'elsewhere', number: 0 }]
    if (rows.has(stream)) return []
    const number = (rows.get('last')?.number ?? 0) + 1
    return [
      { id: stream, number },
      { id: 'last', number },
    ]
  },
})

const said = (stream: string) => recorded(noted({ text: 'here' }), { stream })

test('an event may be about several rows, and one of them count the others', () => {
  viewSpec(inOrderView)
    .given(said('b-1'), said('a-1'), said('b-1'), said('c-1'))
    .thenRows([
      { id: 'a-1', number: 2 },
      { id: 'b-1', number: 1 },
      { id: 'c-1', number: 3 },
      { id: 'last', number: 3 },
    ])
})

test('a row that an event did not ask for stops the fold', () => {
  const touches = touchReader([inOrderView])(recordedEvents(noted({ text: 'astray' })))
  expect(() => changesOf(new Map(), touches)).toThrow(
    'View example.in_order made of test.noted.v1 a row elsewhere under the keys recorded-1, last',
  )
})

test('a view spec notices a row that does not survive its table', () => {
  type Lossy = { id: string; seen: Set<number> }
  const lossy = rowView({
    table: 'example.lossy',
    columns: { id: 'text', seen: 'jsonb' },
    primaryKey: 'id',
    events: [counted],
    key: ({ stream }) => stream,
    evolve: (row: Lossy | null, { stream, data: { number } }): Lossy => ({
      id: stream,
      seen: new Set([...(row?.seen ?? []), number]),
    }),
  })
  expect(() => viewSpec(lossy).given(...numberEvents(1, 2))).toThrow()
})

test('a step may add rows to another view, told by the row before and after it', () => {
  type Step = { id: string; from: number; to: number }
  const steps = rowView({
    table: 'example.steps',
    columns: { id: 'text', from: 'integer', to: 'integer' },
    primaryKey: 'id',
    events: [noted],
    key: ({ id }) => id,
    evolve: (_row: Step | null, { id }): Step => ({ id, from: 0, to: 0 }),
  })
  const totals = rowView({
    table: 'example.totals',
    columns: { stream: 'text', total: 'integer' },
    primaryKey: 'stream',
    events: [counted],
    key: ({ stream }) => stream,
    evolve: (row: { stream: string; total: number } | null, { stream, data }) => ({
      stream,
      total: (row?.total ?? 0) + data.number,
    }),
    posting: {
      to: steps,
      rowsOf: (before, after, { position }): Step[] =>
        after && after.total !== before?.total
          ? [{ id: position, from: before?.total ?? 0, to: after.total }]
          : [],
    },
  })
  const events = recordedEvents(...numberEvents(5, 0, 3), recorded(noted({ text: 'own' }), { id: 'n' }))
  const written = changesOf(new Map(), touchReader([steps, totals])(events)).find(
    ({ view }) => view === steps,
  )
  expect(written!.written).toEqual([
    { id: events[0]!.position, from: 0, to: 5 },
    { id: events[2]!.position, from: 5, to: 8 },
    { id: 'n', from: 0, to: 0 },
  ])
})

const event = { stream: 'paymentAttempt-1', revision: 3, type: 'payments.checkout-started.v1' }

test('an event that cannot be taken in is named by its stream and number, where anybody may read it', () => {
  const cause = new TypeError('the total of Mary Banda is no number')
  const act = () => {
    throw cause
  }
  expect(() => naming(event, act)).toThrow(
    'event 3 of stream paymentAttempt-1 (payments.checkout-started.v1) cannot be taken in',
  )
  expect(publicErrorText(new PoisonEvent(event, cause))).toBe(
    'event 3 of stream paymentAttempt-1 (payments.checkout-started.v1) cannot be taken in; see the log',
  )
})

test('what goes well is answered', () => expect(naming(event, () => 7)).toBe(7))

describe('views watch', () => {
  const at = (number: number) => String(number).padStart(20, '0')

  const watchWith = (checkpoint = at(0)) => {
    const log = heardLog()
    const sent: string[] = []
    let heard: ((message: string | null) => void) | null = null
    const merges: ((earlier: string, later: string) => string)[] = []
    const notifications: Notifications = {
      subscribe: (channel, hear) => {
        expect(channel).toBe(viewsPassedChannel)
        heard = hear
        return () => undefined
      },
      publisher: (_channel, together) => {
        merges.push(together)
        return (message) => void sent.push(message)
      },
      close: () => Promise.resolve(),
    }
    const pool = { query: async () => ({ rows: [{ position: checkpoint }] }) } as unknown as Database['pool']
    const watch = viewsWatch({ database: { pool }, notifications, log, contexts: ['meals', 'money'] })
    return { watch, log, sent, merge: merges[0]!, deliver: (message: string | null) => heard?.(message) }
  }

  const settled = async (waiting: Promise<void>) => {
    let done = false
    void waiting.then(() => (done = true))
    await jest.advanceTimersByTimeAsync(0)
    return done
  }

  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  const bothPass = ({ onPassed }: ReturnType<typeof watchWith>['watch'], position: string) => {
    onPassed('meals', position)
    onPassed('money', position)
  }
  const told = (passed: Record<string, string | null>) => JSON.stringify(passed)

  test('who waits for a position is woken when the projectors of this process have all passed it', async () => {
    const { watch, sent, log } = watchWith()
    const [early, late] = [watch.viewsInclude(at(5)), watch.viewsInclude(at(6))]
    watch.onPassed('meals', at(5))
    expect(await settled(early)).toBe(false)
    watch.onPassed('money', at(5))
    expect([await settled(early), await settled(late)]).toEqual([true, false])
    bothPass(watch, at(9))
    expect(await settled(late)).toBe(true)
    expect(sent).toEqual([
      told({ meals: at(5) }),
      told({ money: at(5) }),
      told({ meals: at(9) }),
      told({ money: at(9) }),
    ])
    expect(log.lines).toEqual([])
  })

  test('a position that was passed before does not wait', async () => {
    const { watch } = watchWith()
    bothPass(watch, at(5))
    expect(await settled(watch.viewsInclude(at(5)))).toBe(true)
    expect(await settled(watch.viewsInclude(''))).toBe(true)
  })

  test('a context that fails is not waited for, until it gets on', async () => {
    const { watch, sent } = watchWith()
    watch.onPassed('meals', at(5))
    const waiting = watch.viewsInclude(at(5))
    watch.onPassed('money', null)
    expect(await settled(waiting)).toBe(true)
    expect(sent.at(-1)).toBe(told({ money: null }))
    watch.onPassed('money', at(3))
    expect(await settled(watch.viewsInclude(at(5)))).toBe(false)
  })

  test('a message from another process wakes too', async () => {
    const { watch, deliver, sent } = watchWith()
    const waiting = watch.viewsInclude(at(5))
    deliver(told({ meals: at(7), money: null }))
    expect(await settled(waiting)).toBe(true)
    expect(sent).toEqual([])
  })

  test('messages that wait to be sent become one', () => {
    const { merge } = watchWith()
    const merged = merge(told({ meals: at(5), money: at(5) }), told({ money: null }))
    expect(JSON.parse(merged)).toEqual({ meals: at(5), money: null })
  })

  test('when messages may have been missed the checkpoints are read', async () => {
    const { watch, deliver } = watchWith(at(8))
    const waiting = watch.viewsInclude(at(8))
    deliver(null)
    expect(await settled(waiting)).toBe(true)
  })

  test('a context that fails is not waited for either when messages may have been missed', async () => {
    const { watch, deliver } = watchWith(at(3))
    bothPass(watch, at(8))
    watch.onPassed('money', null)
    deliver(null)
    await jest.advanceTimersByTimeAsync(0)
    expect(await settled(watch.viewsInclude(at(8)))).toBe(true)
  })

  test('after two seconds the answer goes out anyway, and the log says so', async () => {
    const { watch, log } = watchWith()
    const waiting = watch.viewsInclude(at(5))
    await jest.advanceTimersByTimeAsync(1_999)
    expect(await settled(waiting)).toBe(false)
    await jest.advanceTimersByTimeAsync(1)
    expect(await settled(waiting)).toBe(true)
    expect(log.lines).toMatchObject([
      { level: 'warn', details: { position: at(5), passed: { meals: '', money: '' } } },
    ])
  })

  test('closing lets everybody go', async () => {
    const { watch, log } = watchWith()
    const waiting = watch.viewsInclude(at(5))
    watch.close()
    expect(await settled(waiting)).toBe(true)
    await jest.advanceTimersByTimeAsync(5_000)
    expect(log.lines).toEqual([])
  })
})
