import type { RecordedEvent } from '#platform/event-store/event-store'
import { StartError } from '#platform/start-error'

/** An event that cannot be taken in, by the stream and number under which docs/operations.md says what to do with it. */
export class PoisonEvent extends StartError {
  constructor(
    { stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>,
    cause: unknown,
  ) {
    super(`event ${revision} of stream ${stream} (${type}) cannot be taken in`, { cause })
  }
}

/** Does something with one event; what goes wrong names the event. */
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
