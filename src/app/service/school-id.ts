import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Pool } from 'pg'
import { keepSchool, schoolOf } from '#platform/database'
import { beginning, type EventStore, type Subscription } from '#platform/event-store/event-store'
import { StartError } from '#platform/failures'
import { isHalfRestored } from '#platform/maintenance'
import { hasEmbeddedDatabase } from '../../adapters/embedded-postgres/embedded-postgres'
import { esdbAddress } from '../../adapters/event-store/esdb/connection'
import { unknownMigrations } from '../../adapters/postgres/database'
import type { Config } from '../config'

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

/** `service`: a school, or nothing (makes one). `school`: an existing one. `restore`: nothing, or a half-done restore. */
export type Opening = 'service' | 'school' | 'restore'

type DatabasePlace = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>

const placeOf = ({ DATABASE_URL, DATA_DIR }: DatabasePlace) =>
  DATABASE_URL === undefined
    ? `in the data directory ${resolve(DATA_DIR)}`
    : 'in the database at DATABASE_URL'

const noSchool = (place: DatabasePlace) =>
  new StartError(
    `There is no school ${placeOf(place)}: set DATA_DIR or DATABASE_URL as the service has them (npm start makes a new school).`,
  )

/** Before opening, which would create the embedded database. Throws StartError. */
export const refuseMissingDatabase = async (place: DatabasePlace, opening: Opening): Promise<void> => {
  if (
    opening === 'school' &&
    place.DATABASE_URL === undefined &&
    !(await hasEmbeddedDatabase(place.DATA_DIR))
  )
    throw noSchool(place)
}

const firstOfOldSchema = '0001-platform'

/** Before writing to the database. Throws StartError. */
export const refuseWrongSchool = async (
  pool: Pool,
  place: DatabasePlace,
  opening: Opening,
): Promise<void> => {
  const newer = await unknownMigrations(pool)
  if (newer.includes(firstOfOldSchema))
    throw new StartError(
      `The data ${placeOf(place)} was written before Tuckshop's schema was written down anew: back it up with the version that wrote it, and restore the backup into an empty database.`,
    )
  if (newer.length > 0)
    throw new StartError(
      `The data ${placeOf(place)} was written by a newer Tuckshop, which knows ${newer[0]}: start that one, or restore a backup that this one made.`,
    )
  if (opening !== 'restore' && (await exists(pool, 'platform.maintenance')) && (await isHalfRestored(pool)))
    throw new StartError(
      `The school ${placeOf(place)} is half restored: run npm run restore again, or empty it (wait if a restore is running).`,
    )
  if (opening === 'school' && !(await hasSchool(pool))) throw noSchool(place)
}

const exists = async (pool: Pool, table: string): Promise<boolean> =>
  (await pool.query<{ yes: boolean }>('select to_regclass($1) is not null as yes', [table])).rows[0]!.yes

const hasSchool = async (pool: Pool): Promise<boolean> =>
  (await exists(pool, 'identity.users')) &&
  (await pool.query('select 1 from identity.users limit 1')).rowCount !== 0
