export type Decider<State, Command, Event> = {
  initial: State
  evolve: (state: State, event: Event) => State
  decide: (command: Command, state: State) => Event[]
}
