// Noise is failure: a warning or an error on the console fails the test that made it.
const heard: string[] = []

beforeEach(() => {
  heard.length = 0
  for (const level of ['error', 'warn'] as const)
    jest.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      heard.push(`console.${level}: ${words.map(String).join(' ')}`)
    })
})

afterEach(() => {
  const noise = heard.splice(0)
  jest.restoreAllMocks()
  if (noise.length > 0) throw new Error(`The test was noisy:\n${noise.join('\n')}`)
})
