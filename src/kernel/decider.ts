/** A pure decision maker: state is the fold of events; a decision answers events or throws a Refusal. */
export type Decider<State, Command, Event> = {
  initial: State
  evolve: (state: State, event: Event) => State
  decide: (command: Command, state: State) => Event[]
}
