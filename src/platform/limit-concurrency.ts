/** At most `count` at once; others wait in order. */
export const limitConcurrency = (count: number) => {
  const waiting: (() => void)[] = []
  let running = 0

  return async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
