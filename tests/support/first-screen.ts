import type { CDPSession, Locator, Page } from 'playwright-core'

/** Makes, sorts and reads texts, as a page does; how long each round took, in ms. Runs in a page as well as here. */
const calculation = (): number[] =>
  [1, 2, 3, 4, 5, 6, 7].map(() => {
    const begun = performance.now()
    const texts = Array.from({ length: 50_000 }, (_, index) => String((index * 7919) % 50_021))
    JSON.parse(JSON.stringify(texts.toSorted()))
    return performance.now() - begun
  })

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

const rounds = 3

/** How many ms pass from choosing a child to its calendar on the screen, at the fastest; the children are chosen in turn. */
export const paintMs = async (page: Page, children: readonly string[]): Promise<number> => {
  const devtools = await asOnACheapPhone(page)
  const times: number[] = []
  for (let round = 0; round < rounds; round++)
    for (const child of children) times.push(await page.evaluate(chooseAndTime, child))
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await devtools.detach()
  return Math.min(...times)
}

const chooseAndTime = (child: string) => {
  const radios = [...document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')]
  const radio = radios.find((one) => one.closest('label')!.textContent.includes(child))!
  const before = document.querySelector('article')
  const start = performance.now()
  return new Promise<number>((done) => {
    const drawn = new MutationObserver(() => {
      const now = document.querySelector('article')
      if (!now || now === before) return
      drawn.disconnect()
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
    })
    drawn.observe(document.body, { childList: true, subtree: true })
    radio.click()
  })
}

/** Goes through the page by the tab key; answers what had the focus under the bar at the foot. */
export const coveredByTheBar = async (page: Page): Promise<string[]> => {
  const covered: string[] = []
  const stops = await page.locator('button:visible, select:visible, a:visible').count()
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const focused = document.activeElement!
      const feet = [document.querySelector('.order-bar')!, document.querySelector('.tabs-foot')!]
      if (feet.some((foot) => foot.contains(focused))) return null
      const { top, bottom } = focused.getBoundingClientRect()
      const hidden = top > 0 && feet.some((foot) => bottom > foot.getBoundingClientRect().top)
      return hidden ? focused.textContent : null
    })
    if (name !== null) covered.push(name)
  }
  return covered
}

/** The words that are drawn over more than one line, or beyond the edge of their card or of the page. */
export const wordsBroken = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      const parent = text.parentElement!
      if (!parent.checkVisibility() || parent.closest('select, .sr-only, .side-scroll')) continue
      const card = parent.closest('.card, .sheet, .order-bar, body')!.getBoundingClientRect()
      for (const { index, 0: word } of text.data.matchAll(/[^\s–-]+/g)) {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
        if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) found.push(`${word} is broken`)
        if (boxes.some(({ left, right }) => left < card.left - 1 || right > card.right + 1))
          found.push(`${word} leaves its card`)
      }
    }
    return found
  })

/** The width that the page takes, in px; more than the window's where something sticks out. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth)

type Shifts = { sum: number; moved: string[] }

/** From the next page on, sums up what moves by itself; `shifted` answers the sum for the page that is shown. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
    const shifts: Shifts = { sum: 0, moved: [] }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
        if (hadRecentInput) continue
        shifts.sum += value
        shifts.moved.push(...sources.map(({ node }) => `${value.toFixed(3)}: ${node?.textContent}`))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The cumulative layout shift of the page since it was opened, and what moved. */
export const shifted = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)

export const box = async (target: Locator) => (await target.locator('visible=true').first().boundingBox())!

export const overlap = async (one: Locator, other: Locator): Promise<boolean> => {
  const [a, b] = [await box(one), await box(other)]
  const across = a.x < b.x + b.width && b.x < a.x + a.width
  return across && a.y < b.y + b.height && b.y < a.y + a.height
}
