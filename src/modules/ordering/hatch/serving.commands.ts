import type { SentMark } from '#contracts/serving'
import { parseOrderId } from '#kernel/id'
import { Refusal } from '#kernel/refusal'
import { instantAt } from '#kernel/school-time'
import {
  advanced,
  handleCommand,
  loadStreams,
  type By,
  type LoadedStream,
} from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import type { OrderingNeeds } from '../needs'
import { refusal } from '../refusals'
import type { MarkAnswer } from '../slot/lunch-marks'
import { ordersOf, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'

type AnsweredMark = MarkAnswer & { markId: string }

/** `userId` is whoever hands out. */
type ByUser = By & { userId: number }

// One read and one append keep this many marks; the next batch waits for it.
const batchSize = 100
const latestInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** What devices tell at the hatch. */
export const servingCommands = ({
  eventStore,
  waitForViews,
  now,
  zone,
}: Pick<OrderingNeeds, 'eventStore' | 'waitForViews' | 'now' | 'zone'>) => {
  const keepBatch = (marks: readonly SentMark[], by: ByUser) =>
    handleCommand({ eventStore, now }, by, async (at) => {
      const lunches = marks.flatMap(({ orderId }) => parseOrderId(orderId)?.lunch ?? [])
      const each = new Map(lunches.map((lunch) => [mealSlot.streamOf(lunch), lunch]))
      const loaded = await loadStreams(eventStore, mealSlot, [...each.values()])
      const slots = new Map(loaded.map((slot) => [slot.stream, { before: slot, now: slot }]))
      const results = marks.map((mark) => keep(mark, by.userId, slots, at))
      const changes = [...slots.values()].map(({ before, now: after }) => ({
        loaded: before,
        events: after.events.slice(before.events.length),
      }))
      return { changes, results }
    })

  const keep = (mark: SentMark, by: number, slots: Slots, at: Date): AnsweredMark => {
    const { markId, orderId } = mark
    try {
      const lunch = parseOrderId(orderId)?.lunch
      if (!lunch) throw refusal('order_not_found')
      const slot = slots.get(mealSlot.streamOf(lunch))!
      const told = {
        ...mark,
        by,
        deviceAt: deviceInstant(mark.at),
        note: mark.note || null,
        undoes: mark.undoes ?? null,
      }
      const dayStartsAt = instantAt(lunch.date, 0, 0, zone)
      const events = mealSlot.decide({ kind: 'mark', mark: told, dayStartsAt, now: at }, slot.now.state)
      slot.now = advanced(mealSlot, slot.now, events)
      return { markId, ...answerIn(slot.now.state, orderId, markId) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { markId, result: 'refused', code: error.code, other: null }
    }
  }

  /**
   * Keeps marks in their order, each once, batch after batch: one that was told before answers what it was answered first.
   * Answers each of them, once the views have them.
   */
  const keepMarks = async (marks: readonly SentMark[], by: ByUser): Promise<AnsweredMark[]> => {
    const results: AnsweredMark[] = []
    const positions: Position[] = []
    for (let from = 0; from < marks.length; from += batchSize) {
      const batch = await keepBatch(marks.slice(from, from + batchSize), by)
      results.push(...batch.results)
      if (batch.position !== null) positions.push(batch.position)
    }
    const last = positions.toSorted().at(-1)
    if (last !== undefined) await waitForViews(last)
    return results
  }

  return { keepMarks }
}

type Slot = LoadedStream<MealSlot, SlotEvent>
/** By their streams: as they were read, and as they are after the marks so far. */
type Slots = ReadonlyMap<string, { before: Slot; now: Slot }>

const answerIn = (slot: MealSlot, orderId: string, markId: string): MarkAnswer => {
  const { result, code, other } = ordersOf(slot)
    .find(({ id }) => id === orderId)!
    .marks.answers.get(markId)!
  return { result, code, other }
}

/** A device's instant within the years that the log can write. */
const deviceInstant = (at: string): string =>
  new Date(Math.min(Math.max(Date.parse(at), 0), latestInstant)).toISOString()
