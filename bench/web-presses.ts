import type { Browser, Page } from 'playwright-core'
import { cheapPhone, slow } from './web-visit'
import { visitors } from './web-screens'

/**
 * A press on a parent's home, by CSS selectors: what is pressed, and what of the answer is drawn that was not before; null:
 * the answer is there already, and scrolled to.
 */
type Press = { name: string; pressed: string; drawn: string | null }

const tab = (key: string) => `[role=tab][data-key=${key}]`
const panel = '[role=tabpanel]'

const presses: Press[] = [
  {
    name: 'another child',
    pressed: 'fieldset label:has(input:not(:checked)) input',
    drawn: `${panel} article`,
  },
  { name: 'Cart', pressed: tab('cart'), drawn: `${panel} section[aria-label=Cart] button` },
  { name: 'Students', pressed: tab('students'), drawn: `${panel} li` },
  { name: 'Order History', pressed: tab('orders'), drawn: `${panel} li` },
  { name: 'Menu Calendar', pressed: tab('menu'), drawn: `${panel} article` },
  { name: 'a week', pressed: 'nav[aria-label=Weeks] button:last-child', drawn: null },
]

/** Runs in the page, as text: how many ms from a press until what it draws stands on the screen. */
const pressAndTime = `({ pressed, drawn }) => {
  const press = document.querySelector(pressed)
  if (!press) throw new Error('Not there: ' + pressed)
  const start = performance.now()
  return new Promise((done, failed) => {
    const painted = () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
    if (drawn === null) {
      press.click()
      return painted()
    }
    const before = new Set(document.querySelectorAll(drawn))
    const late = setTimeout(() => failed(new Error('Nothing drawn: ' + drawn)), 10_000)
    const look = () => {
      if ([...document.querySelectorAll(drawn)].every((one) => before.has(one))) return
      watch.disconnect()
      clearTimeout(late)
      painted()
    }
    const watch = new MutationObserver(look)
    watch.observe(document.body, { childList: true, subtree: true })
    press.click()
  })
}`

const quiet = (page: Page) => page.waitForLoadState('networkidle')

/** Each press of a parent on a cheap phone whose parts have come: the ms until it is drawn, once per round. */
export const timePresses = async (
  browser: Browser,
  url: string,
  rounds: number,
): Promise<{ name: string; tookMs: number[] }[]> => {
  const context = await browser.newContext({ ...cheapPhone, baseURL: url })
  try {
    await context.request.post('/api/login', { data: visitors.parent })
    const page = await context.newPage()
    const took = presses.map(({ name }) => ({ name, tookMs: [] as number[] }))
    for (let round = 0; round <= rounds; round += 1) {
      await page.goto('/')
      await page.locator('article').first().waitFor()
      await quiet(page)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
      for (const [at, press] of presses.entries()) {
        const ms = await page.evaluate<number>(`(${pressAndTime})(${JSON.stringify(press)})`)
        // The first round brings the parts of the application.
        if (round > 0) took[at]!.tookMs.push(ms)
        await quiet(page)
      }
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await devtools.detach()
    }
    return took
  } finally {
    await context.close()
  }
}
