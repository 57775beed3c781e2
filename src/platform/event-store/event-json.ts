import type { NewEvent } from './event-store'

/** The largest `data` an event may carry, in bytes of its JSON in UTF-8. */
export const maxEventBytes = 1_048_576

/** The event's data as JSON text; throws when it is larger than every store takes. */
export const eventJson = ({ type, data }: NewEvent): string => {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxEventBytes)
    throw new Error(
      `An event ${type} of ${bytes} bytes is too large: at most ${maxEventBytes} bytes are stored`,
    )
  return text
}
