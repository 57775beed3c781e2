import type { RecordedEvent } from '#platform/event-store/event-store'
import { StartError } from '#platform/start-error'

/** No retry can handle this event; docs/operations.md tells by stream and revision what to do. */
export class PoisonEvent extends StartError {
  constructor(
    { stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>,
    cause: unknown,
  ) {
    super(`event ${revision} of stream ${stream} (${type}) cannot be taken in`, { cause })
  }
}

export const naming = <Result>(
  event: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>,
  act: () => Result,
): Result => {
  try {
    return act()
  } catch (error) {
    throw new PoisonEvent(event, error)
  }
}
