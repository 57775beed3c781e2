import { type ElementHandle, launch, type Page } from 'puppeteer-core'
import { phone } from '../support/browser'
import { type Driver, finder, findOnPage, notThere, type Target } from './driver'

/** A Firefox without a window, as wide as a phone, steered by WebDriver BiDi, which it speaks itself. */
export const openFirefox = async (executablePath: string): Promise<Driver> => {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    protocolTimeout: 30_000,
  })
  const page = await browser.newPage()
  await page.setViewport(phone)
  const faults = faultsOf(page)
  return {
    open: async (url) => void (await page.goto(url)),
    press: async (target) => (await found(page, target)).click(),
    write: async (target, text) => (await found(page, target)).type(text),
    choose: async (target, option) => {
      const list = await found(page, target)
      const value = await list.evaluate(valueNamed, option)
      if (value === undefined) throw notThere({ role: 'option', name: option })
      await list.select(value)
    },
    words: () => page.evaluate(() => document.body.innerText),
    faults: () => faults,
    picture: () => page.screenshot(),
    close: () => browser.close(),
  }
}

const faultsOf = (page: Page): string[] => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  return faults
}

const valueNamed = (list: Element, name: string) =>
  [...(list as HTMLSelectElement).options].find(({ label }) => label === name)?.value

const found = async (page: Page, target: Target): Promise<ElementHandle> => {
  const handle = await page.evaluateHandle(findOnPage, target)
  const element = handle.asElement() as ElementHandle | null
  if (element) return element
  if ((await handle.jsonValue()) === null) throw notThere(target)
  await page.evaluate(finder)
  return found(page, target)
}
