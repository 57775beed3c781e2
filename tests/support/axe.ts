import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { eventually } from './eventually'

// Every rule that axe has but those of level AAA, also the ones that it leaves out when nothing is said: those of
// WCAG 2.2 and the experimental ones.
const everyRule: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'],
  },
  resultTypes: ['violations'],
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page as it is now, one line per violation and place, and the faults of its markup that axe does
 * not look for; empty when there is nothing.
 */
export const axeFindings = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const { violations } = await page.evaluate(
    (options) =>
      (globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(
        options,
      ),
    everyRule,
  )
  const found = violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target }) => `${id} (${impact}): ${target.join(' ')}`),
  )
  return [...found, ...(await page.evaluate(markupFaults)), ...(await mainButtonFaults(page))]
}

// Runs in the page. One title; no heading that skips a level; no block where only text and its like may stand.
const markupFaults = (): string[] => {
  const titles = [...document.querySelectorAll('title')].filter((title) => !title.closest('svg'))
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
    .filter((heading) => heading.getClientRects().length > 0)
    .map((heading) => ({ level: Number(heading.tagName.slice(1)), words: heading.textContent }))
  const skipping = headings.filter(({ level }, at) => at > 0 && level > headings[at - 1]!.level + 1)
  const block = ':is(div, p, ul, ol, dl, table, form, fieldset, section, h1, h2, h3, h4, h5, h6)'
  const inText = document.querySelectorAll(`:is(span, p, button, label, h1, h2, h3, h4, h5, h6) ${block}`)
  return [
    ...(titles.length === 1 ? [] : [`${titles.length} titles`]),
    ...skipping.map(({ level, words }) => `A level is skipped before h${level} "${words}"`),
    ...[...inText].map((element) => `A block in text: ${element.outerHTML.slice(0, 120)}`),
  ]
}

// Runs in the page. The main button of the dialog on top: that at its foot, else that of its form, else its first.
const hiddenMainButtons = (): string[] => {
  const sheet = [...document.querySelectorAll('[role=dialog] .sheet')].at(-1)
  const body = sheet?.querySelector('.sheet-body')
  const button =
    [...(sheet?.querySelectorAll(':scope > :last-child > .btn') ?? [])].at(-1) ??
    body?.querySelector("form .btn[type='submit']") ??
    body?.querySelector('.btn-primary')
  if (!body || !button) return []
  const place = body.scrollTop
  body.scrollTop = 0
  const { top, bottom } = button.getBoundingClientRect()
  body.scrollTop = place
  return top >= 0 && bottom <= innerHeight
    ? []
    : [`"${button.textContent}" of a dialog stands at ${top} to ${bottom} of ${innerHeight}`]
}

/** Whether the main button of an open dialog is inside the window before anything is scrolled; one line where it is not. */
export const mainButtonFaults = (page: Page): Promise<string[]> => page.evaluate(hiddenMainButtons)

/** A size of the window, and what the device prefers by then; light where nothing is said. */
type Size = { width: number; height: number; colorScheme?: 'light' | 'dark' }

/**
 * Looks at one screen after another in each of these sizes; `found` keeps what axe finds on any of them, with the name
 * of the screen. The page is left in the last size.
 */
export const axeWalk = (page: Page, sizes: Record<string, Size>) => {
  const found: string[] = []
  const look = async (screen: string): Promise<void> => {
    for (const [size, { colorScheme = 'light', ...viewport }] of Object.entries(sizes)) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      for (const finding of await lastingFindings(page)) found.push(`${screen} on a ${size}: ${finding}`)
    }
  }
  return { found, look }
}

// A screen that settles does so soon; only one that is wrong takes all of it.
const settlingMs = 15_000

/** What axe still finds once a screen that was just drawn anew has settled. */
const lastingFindings = async (page: Page): Promise<string[]> => {
  let findings: string[] = []
  const isClean = async () => {
    findings = await axeFindings(page)
    return findings.length === 0
  }
  await eventually(isClean, settlingMs).catch(() => undefined)
  return findings
}
