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
  })

/** Waits until none of this can be seen. */
export const gone = (target: Locator): Promise<void> =>
  eventually(async () => {
    if ((await target.locator('visible=true').count()) > 0)
      throw new Error(`Still shown: ${target.toString()}`)
  })
