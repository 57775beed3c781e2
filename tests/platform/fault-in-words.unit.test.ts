import { DatabaseError } from 'pg'
import { publicErrorText } from '#platform/failures'

const database = (code: string) =>
  Object.assign(new DatabaseError('duplicate key: (username)=(mwila.banda)', 10, 'error'), { code })
const system = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.7:5432`), { code })

test.each([
  ['a database error', database('23505'), 'database error 23505; see the log'],
  ['a database that is full', database('53100'), 'a server is away or full (53100); see the log'],
  ['nobody there', system('ECONNREFUSED'), 'a server is away or full (ECONNREFUSED); see the log'],
  ['a line cut off', new Error('Connection terminated'), 'a server is away or full; see the log'],
  ['a mistake of ours', new TypeError('mwila.banda is not iterable'), 'TypeError; see the log'],
  ['an error with a code', system('ENOSPC'), 'Error ENOSPC; see the log'],
  ['an error with a short code', system('EBUSY'), 'Error EBUSY; see the log'],
  ['a name that tells', Object.assign(new Error(), { name: 'no child of mwila' }), 'Error; see the log'],
  ['a code that tells', Object.assign(new Error(), { code: 'no child of mwila' }), 'Error; see the log'],
  [
    'many at once',
    new AggregateError([new Error('grace'), database('23505')]),
    'database error 23505; see the log',
  ],
  [
    'one behind another',
    new Error('grace', { cause: database('42P01') }),
    'database error 42P01; see the log',
  ],
  ['what is no error', 'mwila.banda', 'a fault without a name; see the log'],
])('%s is told by its kind and code alone', (_what, error, words) => {
  expect(publicErrorText(error)).toBe(words)
})
