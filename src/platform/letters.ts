import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { Sweep } from '#platform/module'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

// The job, which is quicker, has the first go.
const graceMs = 10_000
/** A family is written to also where nobody could for so long. */
const writtenWithinDays = 7
const notesKeptDays = 90

type Needs<Letter> = {
  database: Pick<Database, 'knex' | 'pool'>
  now: Now
  /** The sweep's name. */
  name: string
  /** A table of `id` and `at`, where it is noted which letters are done with. It is no read model. */
  notes: string
  /** The letters whose cause lies in this time, the oldest first; `isUndone` is the condition on their `id` in SQL. */
  due: (time: { from: Date; until: Date }, isUndone: string) => Promise<readonly Letter[]>
  /** Writes it, once however often it is asked to, or finds that there is nothing to tell; false: not yet. */
  write: (letter: Letter) => Promise<boolean>
}

/**
 * Writes each letter that a read model knows of once: a job does at once (`writeOnce`), and the sweep finds what a lost
 * job left.
 */
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
