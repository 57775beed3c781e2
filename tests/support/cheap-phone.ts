import type { CDPSession, Page } from 'playwright-core'

/** How much slower a cheap phone computes than the machine on which the limits were first met. */
const slower = 4

/** What `calculation` takes on that machine, in ms. */
const referenceMs = 22

/**
 * Makes this page as slow as a cheap phone, and answers the session that can end it. A machine that is itself slow at
 * the moment, being old or shared, is slowed down by less.
 */
export const asOnACheapPhone = async (page: Page): Promise<CDPSession> => {
  const took = await page.evaluate(calculation)
  const takesMs = took.toSorted((one, other) => one - other)[took.length >> 1]!
  const devtools = await page.context().newCDPSession(page)
  const rate = Math.min(slower, Math.max(1, (slower * referenceMs) / takesMs))
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  return devtools
}

/** Makes, sorts and reads texts, as a page does; how long each round took, in ms. */
const calculation = (): number[] =>
  [1, 2, 3, 4, 5, 6, 7].map(() => {
    const begun = performance.now()
    const texts = Array.from({ length: 50_000 }, (_, index) => String((index * 7919) % 50_021))
    JSON.parse(JSON.stringify(texts.toSorted()))
    return performance.now() - begun
  })
