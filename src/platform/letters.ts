import type { Sweep } from '#platform/module'
import { outcomesOf } from '#platform/pacing'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { Database } from './database'
import type { Now } from './ports'

// The job, which is faster, goes first.
const graceMs = 10_000
/** Late letters are still sent within this time. */
const writtenWithinDays = 7
const notesKeptDays = 90

type Needs<Letter> = {
  database: Pick<Database, 'knex' | 'pool'>
  now: Now
  name: string
  /** A table of `id` and `at` for letters done. Not a read model. */
  notes: string
  /** Due in this time, oldest first; `isUndone` is an SQL condition on `id`. */
  due: (time: { from: Date; until: Date }, isUndone: string) => Promise<readonly Letter[]>
  /** Idempotent. Answers those that are done; the others wait for the sweep. */
  write: (letters: readonly Letter[]) => Promise<readonly Letter[]>
}

/** Writes each letter of a read model once: a job at once (`writeOnce`), the sweep for lost jobs. */
export const lettersOf = <Letter extends { id: string }>(needs: Needs<Letter>) => {
  const { database, now, name, notes, due, write } = needs
  const noted = () => database.knex(notes)

  /** Together; where that fails one by one, so that no letter holds up another. */
  const writeNew = async (letters: readonly Letter[]) => {
    const together = await outcomesOf([letters], write)
    if (together.failed.length === 0 || letters.length === 1) return together
    return outcomesOf(
      letters.map((letter) => [letter]),
      write,
    )
  }

  /** Throws when one could not be written, after the others. */
  const writeOnce = async (letters: readonly Letter[]): Promise<void> => {
    const known = new Set(
      await noted()
        .whereIn(
          'id',
          letters.map(({ id }) => id),
        )
        .pluck('id'),
    )
    const unwritten = letters.filter(({ id }) => !known.has(id))
    if (unwritten.length === 0) return
    const { done: written, failed } = await writeNew(unwritten)
    const [done, faults, at] = [written.flat(), failed.map(({ fault }) => fault), now()]
    if (done.length > 0)
      await noted()
        .insert(done.map(({ id }) => ({ id, at })))
        .onConflict('id')
        .ignore()
    if (faults.length === 1) throw faults[0]
    if (faults.length > 1) throw new AggregateError(faults, `${faults.length} letters could not be written`)
  }

  const sweep: Sweep = {
    name,
    run: async () => {
      const at = now().getTime()
      const time = { from: new Date(at - writtenWithinDays * dayMs), until: new Date(at - graceMs) }
      await writeOnce(
        await due(time, `not exists (select from ${notes} done where done.id = letter.id::text)`),
      )
    },
  }

  const retention: Retention = {
    name: notes,
    kept: `${notesKeptDays} days`,
    remove: deleteUntil(
      database.pool,
      notes,
      'at < $1',
      () => new Date(now().getTime() - notesKeptDays * dayMs),
    ),
  }

  return { writeOnce, sweep, retention }
}
