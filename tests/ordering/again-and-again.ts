import { v7 } from 'uuid'
import type { Canteen } from './canteen'

/**
 * Records the `last` events of the order's lunch `times` times more, as they are or as `again` has them: what a family
 * did again and again, in one append instead of in dozens of requests.
 */
export const happenAgain = async (
  { infrastructure: { eventStore } }: Canteen,
  orderId: string,
  last: number,
  times: number,
  again: (data: object, turn: number) => object = (data) => data,
) => {
  const stream = `mealSlot-${orderId.slice(0, orderId.lastIndexOf('.'))}`
  const earlier = (await eventStore.read([stream])).get(stream)!
  const events = Array.from({ length: times }, (_, turn) =>
    earlier
      .slice(-last)
      .map(({ type, data, metadata }) => ({ id: v7(), type, data: again(data as object, turn), metadata })),
  ).flat()
  await eventStore.append([{ stream, expectedRevision: earlier.length - 1, events, earlier }])
}
