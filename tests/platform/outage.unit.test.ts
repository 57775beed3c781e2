import { DatabaseError } from 'pg'
import { Refusal } from '#kernel/refusal'
import { isOutage } from '#platform/failures'

const database = (code: string) => Object.assign(new DatabaseError('it says so', 10, 'error'), { code })
const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

test.each([
  ['a full disk', database('53100')],
  ['too many connections', database('53300')],
  ['a database that stops', database('57P01')],
  ['a database that starts', database('57P03')],
  ['a connection that broke', database('08006')],
  ['a disk that cannot be read', database('58030')],
  ['nobody there', system('ECONNREFUSED')],
  ['a connection cut off', system('ECONNRESET')],
  ['several addresses, nobody at any', new AggregateError([system('ECONNREFUSED'), system('ECONNREFUSED')])],
  ['a connection cut off, in the words of the driver', new Error('Connection terminated unexpectedly')],
  ['no connection in time', new Error('timeout exceeded when trying to connect')],
  ['no connection in time, for tables', new Error('Knex: Timeout acquiring a connection. The pool is full')],
  [
    'a connection cut off under a statement, which knex puts before the words',
    new Error('select * from "identity"."users" - Connection terminated unexpectedly'),
  ],
  ['a server that hangs', new Error('Connection terminated: the database does not answer')],
  ['a connection of tables that is not made in time', new Error('timeout expired')],
  ['a Redis that hangs', new Error('Command timed out')],
  ['a job queue that hangs', new Error('The job queue does not answer')],
  ['an outage behind another error', new Error('Events cannot be stored', { cause: database('53100') })],
])('%s is an outage', (_what, error) => expect(isOutage(error)).toBe(true))

test.each([
  ['a broken rule of the tables', database('23505')],
  ['a statement with a mistake', database('42601')],
  ['a statement that was called off', database('57014')],
  ['a mistake of ours', new TypeError('Cannot read properties of undefined')],
  ['a refusal', new Refusal('sold_out', 'No plates left')],
  ['what is no error', '53100'],
])('%s is none', (_what, error) => expect(isOutage(error)).toBe(false))
