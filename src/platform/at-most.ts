/** Lets so many at most be under way; the others wait their turn, first come first served. */
export const atMost = (count: number) => {
  const waiting: (() => void)[] = []
  let running = 0

  return async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await act()
    } finally {
      // Whoever waits longest takes the place over.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
