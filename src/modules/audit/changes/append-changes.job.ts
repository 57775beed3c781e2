import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import type { ChangeRow } from '#platform/changes'
import { noStream, type Position, type StreamAppend } from '#platform/event-store/event-store'
import type { Sweep } from '#platform/module'
import { changeRecorded, changeStream } from './change-recorded'

const atOnce = 200

/** Makes events of the changes that were written down in tables, in their order. */
export const appendChanges = ({ database: { knex }, eventStore }: Ports): Sweep => ({
  name: 'append-changes',
  run: async () => {
    const appendSome = () =>
      knex.transaction(async (transaction) => {
        // Locked: a second process waits, and then finds them gone.
        const rows: ChangeRow[] = await transaction('platform.changes')
          .orderBy('seq')
          .limit(atOnce)
          .forUpdate()
        let position: Position | undefined
        // One by one: what is appended to several streams at once has no order among them.
        for (const row of rows) position = await eventStore.append([appendOf(row)])
        if (position === undefined) return 0
        await moveOn(transaction, position)
        await transaction('platform.changes')
          .whereIn(
            'id',
            rows.map(({ id }) => id),
          )
          .delete()
        return rows.length
      })
    while ((await appendSome()) === atOnce);
  },
})

const appendOf = ({ id, at, actor, correlation_id: correlationId, change }: ChangeRow): StreamAppend => {
  const metadata = {
    actor,
    correlationId,
    causationId: correlationId,
    at: at.toISOString(),
    schemaVersion: 1,
  }
  return {
    stream: changeStream(id),
    expectedRevision: noStream,
    events: [{ id, ...changeRecorded(change as Parameters<typeof changeRecorded>[0]), metadata }],
  }
}

/** A backup holds the events up to every checkpoint: whatever is deleted here is among them. */
const moveOn = async (transaction: Knex.Transaction, position: Position): Promise<void> => {
  await transaction('platform.checkpoints').insert({ name: 'changes', position }).onConflict('name').merge()
}
