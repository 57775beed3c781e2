import type { Reader } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { eventually } from './eventually'

/** Resolves once every view has passed what the store held when this was asked. */
export const caughtUp = async (
  from: Reader,
  eventStore: Pick<EventStore, 'end'>,
  withinMs?: number,
): Promise<void> => {
  const { position } = await eventStore.end()
  await eventually(async () => {
    const { rows } = await from.query<{ position: string }>(
      "select position from platform.checkpoints where starts_with(name, 'views ')",
    )
    return rows.every((checkpoint) => checkpoint.position >= position)
  }, withinMs)
}
