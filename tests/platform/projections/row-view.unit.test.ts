import { z } from 'zod'
import { eventType } from '#kernel/event'
import { changesOf, rowsView, rowView, touchReader } from '#platform/projections/row-view'
import { talliesView, numbersView, numberEvents } from '../../support/example-view'
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
