import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { esdbAddress } from '../../adapters/event-store/esdb/connection'
import type { Config } from '../config'
import { placeOf } from './check-database'
import { beginning, type EventStore, type Subscription } from '#platform/event-store/event-store'
import { keepSchool, schoolOf } from '#platform/school'
import { StartError } from '#platform/failures'

type Place = Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'EVENTSTORE_URL'>
type Store = Pick<EventStore, 'school' | 'claim' | 'end' | 'subscribe'>

/** The school gets its id at the first start. Throws StartError naming both for two schools, or for unknown events. */
export const joinSchool = async (pool: Pool, store: Store, place: Place): Promise<void> => {
  const [here, there] = [await schoolOf(pool), await store.school()]
  if (here !== null && here === there) return
  if (there !== null) throw otherSchool(place, here, there)
  if (place.EVENTSTORE_URL) await refuseOtherEvents(pool, store, place)
  const id = await keepSchool(pool, here ?? randomUUID())
  const claimed = await store.claim(id)
  if (claimed !== id) throw otherSchool(place, id, claimed)
}

export const refuseClaimed = async (store: Store, schoolId: string, what: string): Promise<void> => {
  const there = await store.school()
  if (there !== null && there !== schoolId)
    throw new StartError(`${what} is of school ${schoolId}, and the event store is of school ${there}.`)
}

const storeOf = ({ EVENTSTORE_URL }: Place) =>
  `the event store at ${EVENTSTORE_URL ? esdbAddress(EVENTSTORE_URL).shown : 'DATABASE_URL'}`

const whatToSet = 'set DATABASE_URL (or DATA_DIR) and EVENTSTORE_URL to where one and the same school is'

const otherSchool = (place: Place, here: string | null, there: string) =>
  new StartError(
    here === null
      ? `There is no school ${placeOf(place)}, and ${storeOf(place)} holds the events of school ${there}: ${whatToSet}.`
      : `The school ${placeOf(place)} is ${here}, and ${storeOf(place)} is of school ${there}: ${whatToSet}.`,
  )

/** A store without an id is ours only if both begin with the same event or none: it may be older, half copied or another school's. */
const refuseOtherEvents = async (pool: Pool, store: Store, place: Place) => {
  const [followed, first] = [await firstChained(pool), await firstEvent(store)]
  if (followed === first) return
  throw new StartError(
    `The school ${placeOf(place)} has ${beginsWith(followed)}, and ${storeOf(place)} has ${beginsWith(first)} and no school's id: ${whatToSet}.`,
  )
}

const beginsWith = (event: string | null) => (event === null ? 'none' : `events that begin with ${event}`)

const firstChained = async (pool: Pool): Promise<string | null> => {
  const { rows } = await pool.query<{ id: string }>('select event_id as id from audit.chain where number = 1')
  return rows[0]?.id ?? null
}

const firstEvent = async (store: Pick<Store, 'end' | 'subscribe'>): Promise<string | null> => {
  if ((await store.end()).position === beginning) return null
  let reading: Subscription | null = null
  const first = new Promise<string>((resolve, reject) => {
    reading = store.subscribe({ from: null, batchSize: 1 }, async ([event]) => resolve(event!.id))
    reading.done.catch(reject)
  })
  return first.finally(() => reading?.close())
}
