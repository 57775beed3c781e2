import * as fc from 'fast-check'
import { Refusal } from '#kernel/refusal'
import { effectiveMark } from '#modules/ordering/slot/lunch-marks'
import type { MarkLunch } from '#modules/ordering/slot/mark-lunch.decide'
import { ordersOf, type MealSlot, type SlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { fold } from '../support/given-when-then'
import { tries } from '../support/tries'
import { m, noon, phone, tablet, tells } from './hatch-words'
import { after, monday7, ordered } from './lunches'

const most = 8
const markNumbers = fc.integer({ min: 1, max: 2 * most })

/** What one device tells of one lunch, by a clock that may be two hours wrong; `first`: the number of its first mark. */
const queueOf = (by: number, first: number): fc.Arbitrary<MarkLunch[]> =>
  fc
    .tuple(
      fc.constantFrom(-120, 0, 120),
      fc.array(
        fc.record({
          kind: fc.constantFrom('given', 'absent', 'problem', 'undone' as const),
          undone: markNumbers,
        }),
        { maxLength: most },
      ),
    )
    .map(([wrong, told]) =>
      told.map(({ kind, undone }, index) =>
        tells(kind, first + index, {
          by,
          deviceAt: after(noon, index + wrong).toISOString(),
          ...(kind === 'undone' && { undoes: m(undone) }),
        }),
      ),
    )

/** Sends a queue in pieces; a piece whose answer is lost is sent again, from its first mark. */
const sent = (
  queue: readonly MarkLunch[],
  pieces: readonly { size: number; again: boolean }[],
): (readonly MarkLunch[])[] => {
  const sendings: (readonly MarkLunch[])[] = []
  let from = 0
  for (const { size, again } of pieces) {
    const piece = queue.slice(from, from + size)
    sendings.push(piece, ...(again ? [piece] : []))
    from += size
  }
  return [...sendings, queue]
}

const pieces = fc.array(fc.record({ size: fc.integer({ min: 0, max: 4 }), again: fc.boolean() }), {
  maxLength: 5,
})

/** The sendings of two devices in one order, each device's own kept. */
const interleaved = fc
  .tuple(queueOf(tablet, 1), pieces, queueOf(phone, most + 1), pieces)
  .chain(([one, onePieces, other, otherPieces]) => {
    const [first, second] = [sent(one, onePieces), sent(other, otherPieces)]
    const turns = [...first.map(() => true), ...second.map(() => false)]
    return fc.shuffledSubarray(turns, { minLength: turns.length }).map((order) => {
      const [left, right] = [[...first], [...second]]
      return order.flatMap((isFirst) => (isFirst ? left : right).shift()!)
    })
  })

/** Null: refused. */
const decided = (command: MarkLunch, slot: MealSlot): SlotEvent[] | null => {
  try {
    return mealSlot.decide(command, slot)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const orderIn = (slot: MealSlot) => ordersOf(slot)[0]!

test('however two devices send and repeat what they told, a lunch has one truth and each mark one answer', () => {
  fc.assert(
    fc.property(interleaved, (marks) => {
      const past: SlotEvent[] = [ordered(1, monday7)]
      let slot = fold(mealSlot, past)
      const answers = new Map<string, object>()
      const counting = new Map<string, MarkLunch['mark']>()
      for (const command of marks) {
        const { markId, kind, undoes } = command.mark
        const events = decided(command, slot)
        // Refused: nothing is stored, and it is judged again when it comes again.
        if (events === null) {
          expect(answers.has(markId)).toBe(false)
          continue
        }
        slot = events.reduce(mealSlot.evolve, slot)
        past.push(...events)
        const answer = orderIn(slot).marks.answers.get(markId)!
        expect(answers.get(markId) ?? answer).toEqual(answer)
        if (!answers.has(markId) && answer.result === 'kept') {
          if (kind === 'undone') counting.delete(undoes!)
          else counting.set(markId, command.mark)
        }
        answers.set(markId, answer)
        // Given is never lost: it counts, or another one that was given does.
        if (kind === 'given' && events.length > 0)
          expect(orderIn(slot).marks.given).toMatchObject(
            answer.result === 'kept' ? { markId } : { markId: answer.other!.markId },
          )
      }
      const { marks: told, status } = orderIn(slot)
      const kinds = [...counting.values()].map((mark) => mark.kind)
      expect(kinds.filter((kind) => kind === 'given').length).toBeLessThanOrEqual(1)
      expect(kinds.filter((kind) => kind !== 'given').length).toBeLessThanOrEqual(1)
      expect(effectiveMark(told)?.kind ?? null).toBe(kinds.includes('given') ? 'given' : (kinds[0] ?? null))
      expect(status).toBe(kinds.includes('given') ? 'completed' : 'pending')
      const written = past.flatMap(({ data }) => ('markId' in data ? [data.markId] : []))
      expect(written.toSorted()).toEqual([...new Set(written)].toSorted())
      expect(new Set(written)).toEqual(new Set(answers.keys()))
      expect(fold(mealSlot, past)).toEqual(slot)
    }),
    { numRuns: tries(500) },
  )
})
