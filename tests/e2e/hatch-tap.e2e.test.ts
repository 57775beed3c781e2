import type { Browser, Page } from 'playwright-core'
import { asOnACheapPhone } from '../support/cheap-phone'
import { atTheHatch, giving } from '../support/hatch-visit'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { shown } from '../support/shown'

let lunch: LunchSchool
let browser: Browser
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': {} })
  browser = lunch.browser
})
afterAll(() => lunch?.close())

/** Collects how long after each tap the page has drawn what follows from it, in ms. */
const timeTaps = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const taps: number[] = []
    Object.assign(window, { taps })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'click') taps.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 0 } as PerformanceObserverInit)
  })

test('a tap is answered within 100 ms with 500 lunches on the list, at a quarter of the speed', async () => {
  const { page, context, close } = await atTheHatch(browser, lunch.school.url, { count: 500 })
  await context.setOffline(true)
  await asOnACheapPhone(page)
  await timeTaps(page)
  for (let number = 1; number <= 11; number += 1) {
    await giving(page, `Child ${number}`).click()
    await shown(page.getByText(`${number} mark`, { exact: false }))
  }
  const timed = await page.evaluate(() => (window as unknown as { taps: number[] }).taps)
  console.info(`Taps were answered after ${timed.join(', ')} ms`)
  expect(timed.length).toBeGreaterThan(5)
  // Other work of the machine slows taps down; one that draws every row is slow each time.
  const undisturbed = timed.toSorted((one, other) => one - other)[Math.floor(timed.length / 4)]!
  expect(undisturbed).toBeLessThan(100)
  await close()
})
