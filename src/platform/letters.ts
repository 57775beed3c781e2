import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { Sweep } from '#platform/module'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

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
  /** Idempotent. False: not yet. */
  write: (letter: Letter) => Promise<boolean>
}

/** Writes each letter of a read model once: a job at once (`writeOnce`), the sweep for lost jobs. */
export const lettersOf = <Letter extends { id: string }>(needs: Needs<Letter>) => {
  const { database, now, name, notes, due, write } = needs
  const noted = () => database.knex(notes)

  const writeOnce = async (letter: Letter): Promise<void> => {
    if (await noted().where({ id: letter.id }).first('id')) return
    if (await write(letter)) await noted().insert({ id: letter.id, at: now() }).onConflict('id').ignore()
  }

  const sweep: Sweep = {
    name,
    run: async () => {
      const at = now().getTime()
      const time = { from: new Date(at - writtenWithinDays * dayMs), until: new Date(at - graceMs) }
      const faults: unknown[] = []
      for (const letter of await due(
        time,
        `not exists (select from ${notes} done where done.id = letter.id::text)`,
      ))
        await writeOnce(letter).catch((fault: unknown) => faults.push(fault))
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} letters could not be written`)
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
