import { setImmediate as nextTurn } from 'node:timers/promises'

/** Ms of calculation before others run. */
const sliceMs = 20

/** Runs a long calculation in time slices; it yields after each step. */
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
