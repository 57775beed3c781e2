import type { Locator, Page } from 'playwright-core'
import { desk, phone } from './browser'
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

/** The two screens that most walks are taken on. */
export const sizes = [
  ['phone', phone],
  ['desk', desk],
] as const

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })

/** Waits until these words can be seen. */
export const showsText = (page: Page, words: string | RegExp): Promise<void> => shown(page.getByText(words))

/** Presses the first button of this name that can be seen, with the pointer. */
export const clickButton = async (page: Page, name: string | RegExp): Promise<void> => {
  await shown(button(page, name))
  await button(page, name).locator('visible=true').first().click()
}

/** Presses a button in the head of the page, which on a phone is an item of a menu. */
export const clickInHead = async (page: Page, name: string): Promise<void> => {
  await shown(button(page, 'Logout').or(button(page, 'Open menu')))
  if (!(await button(page, 'Open menu').isVisible())) return clickButton(page, name)
  await clickButton(page, 'Open menu')
  await page.getByRole('menuitem', { name }).click()
}

const maxStops = 60

type Stop = { name: string; problem: string | null; isIt: boolean }

/**
 * Presses Tab (Shift+Tab with `back`) until this element has the focus. Fails with the stops it went by when it is
 * never reached, and when the focus cannot be seen on the way.
 */
export const tabTo = async (page: Page, target: Locator, { back = false } = {}): Promise<void> => {
  await eventually(async () => {
    if ((await target.count()) === 0) throw new Error(`Not on the page: ${target.toString()}`)
  })
  const path: string[] = []
  for (let stops = 0; stops <= maxStops; stops += 1) {
    const { name, problem, isIt } = await target.evaluateAll(lookAtFocus)
    path.push(name)
    // What was pressed may have been moved out of sight by what it opened.
    if (problem && stops > 0) throw new Error(`${problem} at ${name}, on the way ${path.join(' → ')}`)
    if (isIt) return
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`Tab never came to ${target.toString()}; it went ${path.join(' → ')}`)
}

/** Waits until this element has the focus without a key being pressed: after a dialog, or a message under a field. */
export const hasFocus = (target: Locator): Promise<void> =>
  eventually(async () => {
    // react-hook-form moves the focus to the first wrong field twice: at once, and once more in a timer.
    await target.page().evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    const { name, isIt } = await target.evaluateAll(lookAtFocus)
    if (!isIt) throw new Error(`The focus should be at ${target.toString()}; it is at ${name}`)
  })

/** Goes to a button and presses it. */
export const press = async (page: Page, name: string | RegExp, more?: { back?: boolean }): Promise<void> => {
  await tabTo(page, page.getByRole('button', { name, exact: true }), more)
  await page.keyboard.press('Enter')
}

/** Goes to the field with this label and types in place of what stands there. */
export const typeInto = async (page: Page, label: string, text: string, more?: { back?: boolean }) => {
  await tabTo(page, page.getByLabel(label, { exact: true }), more)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** Goes to a group of radio buttons or tabs and turns it with this key until one of them has the focus. */
export const turnTo = async (page: Page, group: Locator, wanted: Locator, key = 'ArrowRight') => {
  await tabTo(page, group)
  for (let turns = 0; turns < 20; turns += 1) {
    if ((await wanted.evaluateAll(lookAtFocus)).isIt) return
    await page.keyboard.press(key)
  }
  await hasFocus(wanted)
}

// Runs in the page. A control may show its focus on the label around it; one that only screen readers see must.
const lookAtFocus = (wanted: Element[]): Stop => {
  const at = document.activeElement
  if (!at || at === document.body) return { name: 'the page', problem: null, isIt: false }
  const isIt = wanted.includes(at)
  const words = at.getAttribute('aria-label') ?? at.closest('label')?.textContent ?? at.textContent ?? ''
  const label = 'labels' in at ? (at as HTMLInputElement).labels?.[0]?.textContent : null
  const name = `${at.getAttribute('role') ?? at.tagName.toLowerCase()} "${(label ?? words).trim().slice(0, 50)}"`
  const labelled = at.closest('label')
  const isBare = at.getBoundingClientRect().width < 4 || getComputedStyle(at).opacity === '0'
  const shown = isBare && labelled ? labelled : at
  // A heading or panel that a script gave the focus is no stop of the Tab key and needs no ring.
  if (at.getAttribute('tabindex') === '-1') return { name, problem: null, isIt }
  const rings = [at, ...(labelled ? [labelled] : [])].map((one) => getComputedStyle(one))
  if (rings.every(({ outlineStyle, outlineWidth }) => outlineStyle === 'none' || outlineWidth === '0px'))
    return { name, problem: 'No visible focus', isIt }
  const box = shown.getBoundingClientRect()
  const places = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const))
  const isSeen = places.some(([x, y]) => {
    const layers = document.elementsFromPoint(box.left + box.width * x, box.top + box.height * y)
    // A notification goes by itself.
    const top = layers.find((layer) => shown.contains(layer) || !layer.closest('[aria-live]'))
    return top !== undefined && (shown.contains(top) || top.contains(shown))
  })
  return { name, problem: isSeen ? null : 'The focus is covered', isIt }
}
