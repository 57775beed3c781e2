import type { Locator } from 'playwright-core'
import { eventually } from './eventually'

/**
 * Waits until this can be seen; where there are several, until one of them can. The driver's own waiting looks again
 * only every half second after the first few looks, and screens are mostly there sooner.
 */
export const shown = (target: Locator): Promise<void> =>
  eventually(async () => {
    if ((await target.locator('visible=true').count()) === 0)
      throw new Error(`Not shown: ${target.toString()}`)
  }).catch((failure: Error) => tellOfThePage(failure, target))

/** Waits until none of this can be seen. */
export const gone = (target: Locator): Promise<void> =>
  eventually(async () => {
    if ((await target.locator('visible=true').count()) > 0)
      throw new Error(`Still shown: ${target.toString()}`)
  }).catch((failure: Error) => tellOfThePage(failure, target))

/** The failure, and what the page shows instead. */
const tellOfThePage = async ({ message }: Error, target: Locator): Promise<never> => {
  const page = target.page()
  const words = await page.evaluate(() => document.body.innerText).catch(String)
  throw new Error(`${message}\n${page.url()} shows:\n${words.slice(0, 1_000)}`)
}
