import type { Decider } from '#kernel/event'
import { Refusal } from '#kernel/refusal'

/** Reads a decider's specs as sentences: `slot.given(events).when(command).then(events)` or `.refused(code)`. */
export const specificationOf = <State, Command, Event>(decider: Decider<State, Command, Event>) => ({
  given: (...past: Event[]) => ({
    when: (command: Command) => {
      const decided = () => decider.decide(command, fold(decider, past))
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- specs read given, when, then, and are never awaited
        then: (...expected: Event[]) => expect(decided()).toEqual(expected),
        nothingHappens: () => expect(decided()).toEqual([]),
        refused: (code: string) => {
          expect(decided).toThrow(Refusal)
          expect(decided).toThrow(expect.objectContaining({ code }))
        },
      }
    },
  }),
})

/** The state that these events make. */
export const fold = <State, Event>(
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>,
  events: readonly Event[],
): State => events.reduce(decider.evolve, decider.initial)
