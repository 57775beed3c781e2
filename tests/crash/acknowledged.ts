/** Everything the service said yes to; whatever crashes, it must stay so. */
export type Acknowledged = ReturnType<typeof acknowledgements>

export const acknowledgements = () => ({
  /** Orders by their id, each with the request that placed it. */
  placed: new Map<string, { key: string }>(),
  cancelled: new Set<string>(),
  completed: new Set<string>(),
  /** Tokens that the provider took money for. */
  paid: new Set<string>(),
  refunded: new Set<string>(),
  children: new Set<number>(),
  /** Requests that were answered, yes or no. */
  answers: 0,
  /** What was asked and never answered, and asked again afterwards with the same key. */
  askedAgain: 0,
  /** Refused with which code how often. */
  refused: new Map<string, number>(),
  /** What must never be answered. */
  wrong: [] as string[],
})

export const countRefusal = ({ refused }: Acknowledged, code: string): void =>
  void refused.set(code, (refused.get(code) ?? 0) + 1)
