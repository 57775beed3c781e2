import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long a calculation keeps the process from everything else, in ms. */
const sliceMs = 20

/** What a long calculation comes to. It yields after each of its steps; between slices others have their turn. */
export const inSlices = async <Result>(steps: Generator<undefined, Result>): Promise<Result> => {
  let until = performance.now() + sliceMs
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + sliceMs
  }
}
