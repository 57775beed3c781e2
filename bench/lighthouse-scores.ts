import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { freePort } from './program'
import { visitors, type Screen } from './web-screens'

/** Lighthouse's scores from 0 to 100, what makes the first of them in ms, and the audits that took from the others, by their ids. */
export type Scores = {
  performance: number
  first: number
  largest: number
  blocked: number
  others: Record<string, number>
  lost: string[]
}

const categories = ['performance', 'accessibility', 'best-practices', 'seo']

/** Looks at a screen as Lighthouse does by default: a phone, its network and processor simulated. */
export const lighthouseScores = async (
  executablePath: string,
  url: string,
  { as, path }: Screen,
): Promise<Scores> => {
  const port = await freePort()
  const profile = await mkdtemp(join(tmpdir(), 'tuckshop-lighthouse-'))
  const args = ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`]
  const context = await chromium.launchPersistentContext(profile, { executablePath, args })
  try {
    const account = visitors[as]
    if (account) await context.request.post(`${url}/api/login`, { data: account })
    const flags = { port, onlyCategories: categories, disableStorageReset: true, logLevel: 'error' as const }
    const result = await lighthouse(url + path, flags)
    if (!result) throw new Error(`Lighthouse says nothing about ${path}`)
    return scoresIn(result.lhr)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
}

type Lhr = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

const scoresIn = ({ categories: found, audits }: Lhr): Scores => {
  const score = (id: string) => Math.round((found[id]?.score ?? 0) * 100)
  const ms = (id: string) => audits[id]?.numericValue ?? 0
  const others = categories.slice(1)
  const lost = others.flatMap((id) =>
    (found[id]?.auditRefs ?? []).filter(
      ({ id: audit, weight }) => weight > 0 && (audits[audit]?.score ?? 1) < 1,
    ),
  )
  return {
    performance: score('performance'),
    first: ms('first-contentful-paint'),
    largest: ms('largest-contentful-paint'),
    blocked: ms('total-blocking-time'),
    others: Object.fromEntries(others.map((id) => [id, score(id)])),
    lost: lost.map(({ id }) => id),
  }
}
