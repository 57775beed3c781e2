import { v7 } from 'uuid'
import { appendToOne } from './append'
import type { Esdb } from './connection'
import { readStream } from './read'
import { noStream, WrongExpectedRevision } from '#platform/event-store/event-store'

// None of this application's streams: no subscription delivers it, and neither backup nor chain contains it.
const stream = 'school'
const claimed = 'platform.store-claimed.v1'

/** The school that has claimed the store, or the part of it behind our prefix; null for none. */
export const schoolThere = async (esdb: Esdb): Promise<string | null> => {
  const [first] = await readStream(esdb, stream, 0, 1)
  return first === undefined ? null : (first.data as { schoolId: string }).schoolId
}

/** The first event of a stream: of several who claim at once one is first, and all of them read who. */
export const claimFor = async (esdb: Esdb, schoolId: string): Promise<string> => {
  const there = await schoolThere(esdb)
  if (there !== null) return there
  const id = v7()
  const at = new Date().toISOString()
  const metadata = { actor: 'system', correlationId: id, causationId: id, at, schemaVersion: 1 }
  const events = [{ id, type: claimed, data: { schoolId }, metadata }]
  await appendToOne(esdb, { stream, expectedRevision: noStream, events }).catch((error: unknown) => {
    if (!(error instanceof WrongExpectedRevision)) throw error
  })
  return (await schoolThere(esdb))!
}
