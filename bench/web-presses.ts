import type { Browser, Page } from 'playwright-core'
import { visitors } from './web-screens'
import { cheapPhone, slow } from './web-visit'

/** CSS selectors of what is pressed and of what must appear; `drawn` is null if it is already there and scrolled to. */
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

/** Ms until the first visible answer, and until all of it is drawn. */
export type Answer = { answeredMs: number; drawnMs: number }

const pressAndTime = `({ pressed, drawn }) => {
  const press = document.querySelector(pressed)
  if (!press) throw new Error('Not there: ' + pressed)
  const start = performance.now()
  const painted = () =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))))
  const before = new Set(drawn ? document.querySelectorAll(drawn) : [])
  const isDrawn = () => !drawn || [...document.querySelectorAll(drawn)].some((one) => !before.has(one))
  const next = (isIt) =>
    new Promise((done, failed) => {
      setTimeout(() => failed(new Error('Nothing drawn: ' + drawn)), 10_000)
      new MutationObserver((_, watch) => isIt() && (done(painted()) ?? watch.disconnect()))
        .observe(document.body, { childList: true, subtree: true })
      if (!drawn) done(painted())
    })
  const answers = [next(() => true), next(isDrawn)]
  press.click()
  return Promise.all(answers).then(([answeredMs, drawnMs]) => ({ answeredMs, drawnMs }))
}`

const quiet = (page: Page) => page.waitForLoadState('networkidle')

/** Each press once per round on a slow phone; each round reloads the page. */
export const timePresses = async (
  browser: Browser,
  url: string,
  rounds: number,
): Promise<{ name: string; answers: Answer[] }[]> => {
  const context = await browser.newContext({ ...cheapPhone, baseURL: url })
  try {
    await context.request.post('/api/login', { data: visitors.parent })
    const page = await context.newPage()
    const took = presses.map(({ name }) => ({ name, answers: [] as Answer[] }))
    for (let round = 0; round <= rounds; round += 1) {
      await page.goto('/')
      await page.locator('article').first().waitFor()
      await quiet(page)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
      for (const [at, press] of presses.entries()) {
        const answer = await page.evaluate<Answer>(`(${pressAndTime})(${JSON.stringify(press)})`)
        // The first round loads the chunks.
        if (round > 0) took[at]!.answers.push(answer)
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
