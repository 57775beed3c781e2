import { readFileSync } from 'node:fs'
import type { queryAllByLabelText, queryAllByRole } from '@testing-library/dom'

/**
 * What is looked for: the field of a label, or what has a role and the name that a screen reader says. Where there are
 * several, the first that can be seen, stands still and is not under something else.
 */
export type Target = { label: string } | { role: string; name: string; inside?: Target }

/**
 * A browser that is steered from outside, by whatever protocol it speaks. Each act is done once, at once, and throws
 * where there is nothing that it could be done to.
 */
export type Driver = {
  open: (url: string) => Promise<void>
  /** With the pointer, as a person does. */
  press: (target: Target) => Promise<void>
  /** With the keyboard. */
  write: (target: Target, text: string) => Promise<void>
  choose: (target: Target, option: string) => Promise<void>
  /** What can be read on the page. */
  words: () => Promise<string>
  /** What a person would never see but a developer must, as far as the protocol tells of it. */
  faults: () => string[]
  /** A PNG of what is on the screen. */
  picture: () => Promise<Uint8Array>
  close: () => Promise<void>
}

/** Text for a page to run: how `findOnPage` tells what roles and names are, the same in every browser. */
export const finder = readFileSync(
  require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
)

/** Run by the page: what was looked for, null where it is not there, "unready" where the page has no finder yet. */
export const findOnPage = (target: Target): Element | 'unready' | null => {
  type Queries = { queryAllByLabelText: typeof queryAllByLabelText; queryAllByRole: typeof queryAllByRole }
  const { TestingLibraryDom: queries } = window as { TestingLibraryDom?: Queries }
  if (!queries) return 'unready'
  const all = (wanted: Target): HTMLElement[] => {
    if ('label' in wanted) return queries.queryAllByLabelText(document.body, wanted.label)
    const place = wanted.inside ? first(wanted.inside) : document.body
    return place ? queries.queryAllByRole(place, wanted.role, { name: wanted.name }) : []
  }
  const first = (wanted: Target) =>
    all(wanted).find((element) => {
      const moves = ({ playState, effect }: Animation) =>
        playState === 'running' && (effect as KeyframeEffect).target?.contains(element)
      if (!element.checkVisibility() || document.getAnimations().some(moves)) return false
      const isOnTop = () => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }
      if (!isOnTop()) element.scrollIntoView({ block: 'center', behavior: 'instant' })
      return isOnTop()
    })
  return first(target) ?? null
}

/** What a driver throws where its target is not there. */
export const notThere = (target: Target): Error => new Error(`Not within reach: ${JSON.stringify(target)}`)
