import { resolve } from 'node:path'
import type { Pool } from 'pg'
import { unknownMigrations } from '../../adapters/postgres/database'
import { hasEmbeddedDatabase } from '../../adapters/embedded-postgres/embedded-postgres'
import type { Config } from '../config'
import { isHalfRestored } from '#platform/maintenance'
import { StartError } from '#platform/failures'

/** `service`: a school, or nothing (makes one). `school`: an existing one. `restore`: nothing, or a half-done restore. */
export type Opening = 'service' | 'school' | 'restore'

type Place = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>

export const placeOf = ({ DATABASE_URL, DATA_DIR }: Place) =>
  DATABASE_URL === undefined
    ? `in the data directory ${resolve(DATA_DIR)}`
    : 'in the database at DATABASE_URL'

const noSchool = (place: Place) =>
  new StartError(
    `There is no school ${placeOf(place)}: set DATA_DIR or DATABASE_URL as the service has them (npm start makes a new school).`,
  )

/** Before opening, which would create the embedded database. Throws StartError. */
export const refuseMissingDatabase = async (place: Place, opening: Opening): Promise<void> => {
  if (
    opening === 'school' &&
    place.DATABASE_URL === undefined &&
    !(await hasEmbeddedDatabase(place.DATA_DIR))
  )
    throw noSchool(place)
}

const firstOfOldSchema = '0001-platform'

/** Before writing to the database. Throws StartError. */
export const refuseWrongSchool = async (pool: Pool, place: Place, opening: Opening): Promise<void> => {
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
