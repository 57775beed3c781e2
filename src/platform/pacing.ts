import { setImmediate as nextTurn } from 'node:timers/promises'

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

type Outcomes<Item, Answer> = { done: Answer[]; failed: { item: Item; fault: unknown }[] }

/** Does each, `atOnce` of them together. One that fails delays no other; both lists are in the order of the items. */
export const outcomesOf = async <Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
  atOnce = 1,
): Promise<Outcomes<Item, Answer>> => {
  const inTurn = limitConcurrency(atOnce)
  const settled = await Promise.allSettled(items.map((item) => inTurn(async () => act(item))))
  const outcomes: Outcomes<Item, Answer> = { done: [], failed: [] }
  for (const [place, one] of settled.entries())
    if (one.status === 'fulfilled') outcomes.done.push(one.value)
    else outcomes.failed.push({ item: items[place]!, fault: one.reason })
  return outcomes
}

/** As `outcomesOf`; throws an AggregateError at the end. */
export const each = async <Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  atOnce = 1,
  message?: string,
): Promise<void> => {
  const { failed } = await outcomesOf(items, act, atOnce)
  if (failed.length === 0) return
  const faults = failed.map(({ fault }) => fault)
  throw new AggregateError(faults, message ?? `${faults.length} of ${items.length} failed`)
}

/**
 * What is asked in one turn of the event loop is answered together, in the order asked; where that fails, each alone, so that one that
 * fails holds up no other.
 */
export const together = <Asked, Answer>(
  answer: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): ((one: Asked) => Promise<Answer>) => {
  let waiting: Asked[] = []
  let settling: Promise<PromiseSettledResult<Answer>[]> | null = null

  const settle = async (): Promise<PromiseSettledResult<Answer>[]> => {
    await nextTurn()
    const asked = waiting
    waiting = []
    settling = null
    try {
      if (asked.length > 1) return await Promise.allSettled(await answer(asked))
    } catch {
      // Each alone says whose fault it is.
    }
    return Promise.allSettled(asked.map(async (one) => (await answer([one]))[0]!))
  }

  return async (one) => {
    const place = waiting.push(one) - 1
    settling ??= settle()
    const settled = (await settling)[place]!
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}

/** Ms of calculation before others run. */
const sliceMs = 20

/** For a long calculation: called at each step, it answers what to wait for whenever a slice is over, so that others run. */
export const paced = (): (() => Promise<void> | null) => {
  let until = performance.now() + sliceMs
  return () => {
    if (performance.now() < until) return null
    return nextTurn().then(() => void (until = performance.now() + sliceMs))
  }
}

/** Runs a long calculation in time slices; it yields after each step. */
export const inSlices = async <Result>(steps: Generator<undefined, Result>): Promise<Result> => {
  const pace = paced()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const turn = pace()
    if (turn) await turn
  }
}

/** Settled items rechecked per run: 5,000 within 11 minutes. */
const maxRepeats = 40

/** Items of this run: newly listed ones, and in turn some settled ones, whose change job may have been lost. */
export const takingTurns = () => {
  // Longest unchecked first.
  let settled: string[] = []
  return {
    due: (listed: Iterable<string>): Set<string> => {
      const due = new Set(listed)
      settled = settled.filter((id) => due.has(id))
      for (const id of settled) due.delete(id)
      for (const id of settled.splice(0, maxRepeats)) due.add(id)
      return due
    },
    isSettled: (id: string): void => void settled.push(id),
  }
}

/** Fails with `late` after `ms`; the work itself goes on. */
export const withTimeout = async <Result>(
  ms: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}

const gatherMs = 500

/** Merges similar warnings into one call of `say` with the first error and the count. */
export const throttledWarnings = (
  say: (first: unknown, times: number) => void,
): ((error: unknown) => void) => {
  let times = 0
  return (error) => {
    times += 1
    if (times > 1) return
    const tell = () => {
      say(error, times)
      times = 0
    }
    setTimeout(tell, gatherMs).unref()
  }
}
