type Test = { path: string; context: unknown }

declare class LongestFirst {
  constructor(given: { contexts: unknown[]; globalConfig: unknown })
  sort: (tests: Test[]) => Test[]
  /** What jest remembers of a test's project: for each file how it ended and what it took, in ms. */
  _getCache: (test: Test) => Record<string, readonly [ended: number, ms: number]>
}

export = LongestFirst
