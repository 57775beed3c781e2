export type Random = ReturnType<typeof randomOf>

/** Random numbers that a seed repeats (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const shuffled = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, key: next() }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ item }) => item)
  return {
    next,
    below,
    pick,
    shuffled,
    chance: (share: number): boolean => next() < share,
    seed: () => below(2 ** 31),
  }
}
