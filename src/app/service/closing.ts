/** Remembers how to close what was opened; `close` does it in the reverse order, each once, and throws the first failure at the end. */
export const closing = () => {
  const steps: (() => Promise<void>)[] = []
  return {
    add: (step: () => Promise<void>): void => {
      steps.push(step)
    },
    close: async (): Promise<void> => {
      const failures: unknown[] = []
      for (let step = steps.pop(); step; step = steps.pop())
        await step().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  }
}
