import type { Browser, BrowserContext, Page } from 'playwright-core'
import { visitors, type Screen } from './web-screens'

/** Times in ms since navigation, layout shift as Chromium scores it and what moved, bytes on the wire. */
export type Visit = { lcp: number; cls: number; bytes: number; scripts: number; moved: string[] }

/** A cheap phone on a slow mobile network. */
export const slow = { cpu: 4, kilobits: 1_600, roundTripMs: 150 }

export const cheapPhone = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}
const settleWithinMs = 20_000
const quietMs = 2_000

type Seen = Pick<Visit, 'lcp' | 'cls' | 'moved'>

/**
 * Runs in the page before its scripts: records largest paints and unexpected shifts. Text, because the compiler would insert calls that the
 * page does not know.
 */
const watch = `
  window.seen = { lcp: 0, cls: 0, moved: [] }
  const each = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  each('largest-contentful-paint', ({ startTime }) => (seen.lcp = startTime))
  each('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return
    seen.cls += value
    for (const { node } of sources)
      seen.moved.push(value.toFixed(3) + ' ' + (node?.textContent ?? '').replace(/\\s+/g, ' ').slice(0, 60))
  })`

/** `open`: requests under way. */
type Crossed = () => { bytes: number; scripts: number; open: number }

const throttled = async (page: Page): Promise<Crossed> => {
  const devtools = await page.context().newCDPSession(page)
  const bytesPerSecond = (slow.kilobits * 1_000) / 8
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slow.roundTripMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
  const crossed = { bytes: 0, scripts: 0 }
  const isScript = new Set<string>()
  const open = new Set<string>()
  devtools.on('Network.requestWillBeSent', ({ requestId }) => open.add(requestId))
  devtools.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId))
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') isScript.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    open.delete(requestId)
    crossed.bytes += encodedDataLength
    if (isScript.has(requestId)) crossed.scripts += encodedDataLength
  })
  return () => ({ ...crossed, open: open.size })
}

const seenIn = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

/** Waits for two seconds without a request, paint or shift. */
const settled = async (page: Page, crossed: Crossed): Promise<Seen> => {
  let before = ''
  let changedAt = Date.now()
  for (const end = Date.now() + settleWithinMs; Date.now() < end; await page.waitForTimeout(100)) {
    const seen = await seenIn(page)
    const traffic = crossed()
    const now = JSON.stringify([seen, traffic])
    if (now !== before || traffic.open > 0) changedAt = Date.now()
    before = now
    if (seen.lcp > 0 && Date.now() - changedAt > quietMs) return seen
  }
  throw new Error(`${page.url()} did not settle`)
}

const visitOnce = async (context: BrowserContext, url: string): Promise<Visit> => {
  const page = await context.newPage()
  await page.addInitScript({ content: watch })
  const crossed = await throttled(page)
  await page.goto(url, { waitUntil: 'commit' })
  const seen = await settled(page, crossed)
  const { bytes, scripts } = crossed()
  await page.close()
  return { ...seen, bytes, scripts }
}

/** A first visit with only the session, then a repeat visit with caches. */
export const visitScreen = async (
  browser: Browser,
  url: string,
  { as, path }: Screen,
  width: number,
): Promise<{ first: Visit; again: Visit }> => {
  const viewport = { ...cheapPhone.viewport, width }
  const context = await browser.newContext({ ...cheapPhone, viewport, baseURL: url })
  try {
    const account = visitors[as]
    if (account) {
      const answer = await context.request.post('/api/login', { data: account })
      if (!answer.ok()) throw new Error(`${account.username} cannot sign in: ${answer.status()}`)
    }
    const first = await visitOnce(context, url + path)
    return { first, again: await visitOnce(context, url + path) }
  } finally {
    await context.close()
  }
}
