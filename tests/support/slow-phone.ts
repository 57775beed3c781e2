import type { CDPSession, Page } from 'playwright-core'
import { calculation } from './calculation'

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
