import { z } from 'zod'
import { eventType } from '#kernel/event'
import { rowId } from '#kernel/id'
import { lockChanges, removeChanges, type ChangeRow } from '#platform/changes'
import { noStream, type Position, type StreamAppend } from '#platform/event-store/event-store'
import type { Sweep } from '#platform/module'
import type { Ports } from '#platform/ports'
import { setCheckpoint } from '#platform/projections/checkpoint'

const atOnce = 200

export const appendChanges = ({ database: { knex }, eventStore }: Ports): Sweep => ({
  name: 'append-changes',
  run: async () => {
    const appendSome = () =>
      knex.transaction(async (transaction) => {
        const rows = await lockChanges(transaction, atOnce)
        let position: Position | undefined
        // One by one: an append to several streams has no order among them.
        for (const row of rows) position = await eventStore.append([appendOf(row)])
        if (position === undefined) return 0
        // A backup holds all events up to every checkpoint, so deleted rows are in it.
        await setCheckpoint(transaction, { name: 'changes', position })
        await removeChanges(
          transaction,
          rows.map(({ id }) => id),
        )
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

const values = z.nullable(z.record(z.string(), z.json()))

/** Somebody changed settings, accounts, the menu or cycles, which are tables; `old` and `new` hold what differs. */
export const changeRecorded = eventType(
  'audit.change-recorded.v1',
  z.strictObject({
    kind: z.enum(['settings', 'accounts', 'catalogue', 'cycles']),
    what: z.string(),
    old: values,
    new: values,
    userId: rowId.optional(),
  }),
)

/** A stream per change: independent of others, and appended once however often retried. */
export const changeStream = (id: string): string => `change-${id}`
