import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from 'playwright-core'
import { unpackedChromium } from '../tests/support/unpacked-chromium'
import { startProgram } from './program'
import { timePresses } from './web-presses'
import { screens, type Screen } from './web-screens'
import { slow, visitScreen, type Visit } from './web-visit'

const { values: asked } = parseArgs({
  options: {
    /** A service that runs already; by default the built program with the demonstration's data. */
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    width: { type: 'string', default: '360' },
    /** How often each screen is visited; the median counts. */
    times: { type: 'string', default: '5' },
    /** The time until a press is drawn instead: another child, a tab, a week. */
    presses: { type: 'boolean', default: false },
  },
})

/** A school morning with a kitchen to look at and a day to order for. */
const opening = '2026-11-17T07:30:00+02:00'
const maxShift = 0.02
const maxRunMs = 30 * 60_000

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`
const against = (value: number, atMost: number | undefined) =>
  atMost === undefined ? '' : value <= atMost ? ' ✓' : ` ✗ (≤ ${atMost < 1 ? atMost : seconds(atMost)})`

const lineOf = (screen: Screen, visits: { first: Visit; again: Visit }[]): string[] => {
  const of = (when: 'first' | 'again', what: Exclude<keyof Visit, 'moved'>) =>
    median(visits.map((visit) => visit[when][what]))
  const lcp = of('first', 'lcp')
  const later = of('again', 'lcp')
  const cls = Math.max(of('first', 'cls'), of('again', 'cls'))
  return [
    screen.name,
    seconds(lcp) + against(lcp, screen.first),
    seconds(later) + against(later, screen.again),
    cls.toFixed(3) + against(cls, maxShift),
    kilobytes(of('first', 'bytes')),
    kilobytes(of('first', 'scripts')),
    kilobytes(of('again', 'bytes')),
  ]
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

type Measure = (executablePath: string, url: string, chosen: Screen[]) => Promise<void>

const inBrowser =
  (measure: (browser: Browser, url: string, chosen: Screen[]) => Promise<void>): Measure =>
  async (executablePath, url, chosen) => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      await measure(browser, url, chosen)
    } finally {
      await browser.close()
    }
  }

const measured = inBrowser(async (browser, url, chosen) => {
  console.log(
    `Chromium ${browser.version()}, processor ${slow.cpu} × slower, ${slow.kilobits} kbit/s, ${slow.roundTripMs} ms, median of ${asked.times}\n`,
  )
  console.log(row(['', 'LCP first', 'LCP again', 'CLS', 'bytes first', 'of them scripts', 'bytes again']))
  console.log(row(Array.from({ length: 7 }, () => '---')))
  for (const screen of chosen) {
    const visits = []
    for (let time = 0; time < Number(asked.times); time += 1)
      visits.push(await visitScreen(browser, url, screen, Number(asked.width)))
    console.log(row(lineOf(screen, visits)))
    const moved = visits.flatMap(({ first, again }) => [first, again].filter(({ cls }) => cls > maxShift))
    for (const words of new Set(moved.flatMap((visit) => visit.moved))) console.log(`  moved: ${words}`)
  }
})

const maxPressMs = 200

const pressed = inBrowser(async (browser, url) => {
  console.log(`Processor ${slow.cpu} × slower, median of ${asked.times}\n`)
  console.log(row(['a press on', 'answered after', 'all drawn after']))
  console.log(row(['---', '---', '---']))
  for (const { name, answers } of await timePresses(browser, url, Number(asked.times))) {
    const ms = Math.round(median(answers.map(({ answeredMs }) => answeredMs)))
    const all = Math.round(median(answers.map(({ drawnMs }) => drawnMs)))
    console.log(row([name, `${ms} ms ${ms <= maxPressMs ? '✓' : '✗'}`, `${all} ms`]))
  }
})

const main = async (): Promise<void> => {
  const chosen = screens.filter(({ name }) => name.toLowerCase().includes(asked.only.toLowerCase()))
  const dataDir = asked.url ? null : await mkdtemp(join(tmpdir(), 'tuckshop-bench-web-'))
  const program = dataDir ? await startProgram(dataDir, opening, undefined, {}, 'demo') : null
  try {
    console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`)
    const executablePath = process.env.CHROME_PATH || (await unpackedChromium())
    await (asked.presses ? pressed : measured)(executablePath, asked.url ?? program!.url, chosen)
  } finally {
    await program?.stop()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  }
}

setTimeout(() => {
  console.error(`Not done after ${maxRunMs / 60_000} minutes`)
  process.exit(1)
}, maxRunMs).unref()

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
