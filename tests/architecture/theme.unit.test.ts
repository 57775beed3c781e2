import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contrastOf, hexOf, namesByNight, schemes, type Scheme } from '../support/theme-colours'

const both: Scheme[] = ['light', 'dark']
const contrast = (scheme: Scheme, one: string, other: string) =>
  contrastOf(hexOf(scheme, one), hexOf(scheme, other))

describe.each(both)('letters can be read, %s', (scheme) => {
  test.each([
    ['ink', 'page'],
    ['brand-700', 'page'],
    ['brand-800', 'page'],
    ['danger-600', 'page'],
    ['head-ink', 'head'],
    ['head-ink', 'head-raised'],
    ['head-quiet', 'head'],
    ['head-quiet', 'head-raised'],
    ['head-accent', 'head-raised'],
    ['danger-200', 'danger-700'],
    ['brand-800', 'surface'],
    ['brand-700', 'surface'],
    ['brand-700', 'brand-100'],
    ['accent-700', 'page'],
    ['accent-700', 'accent-100'],
    ['accent-600', 'surface'],
    ['ink', 'white'],
    ['ink', 'brand-50'],
    ['ink', 'danger-50'],
    ['ink', 'warning-50'],
    ['ink', 'info-50'],
    ['ink', 'sand-100'],
    ['ink', 'sand-200'],
    ['muted', 'white'],
    ['muted', 'danger-50'],
    ['muted', 'warning-50'],
    ['muted', 'info-50'],
    ['danger-700', 'surface'],
    ['danger-700', 'page'],
    ['danger-700', 'danger-100'],
    ['warning-700', 'surface'],
    ['info-700', 'surface'],
    ['sand-800', 'surface'],
    ['white', 'brand-600'],
    ['white', 'accent-700'],
    ['white', 'danger-700'],
    ['muted', 'sand-50'],
    ['muted', 'sand-200'],
    ['muted', 'brand-50'],
    ['muted', 'accent-50'],
    ['ink', 'accent-100'],
    ['sand-500', 'white'],
    ['danger-600', 'danger-50'],
    ['ink', 'surface'],
    ['muted', 'page'],
    ['muted', 'surface'],
    ['muted', 'sand-100'],
    ['white', 'brand-700'],
    ['white', 'brand-800'],
    ['white', 'accent-600'],
    ['white', 'danger-600'],
    ['white', 'sand-800'],
    ['brand-700', 'brand-50'],
    ['brand-800', 'brand-50'],
    ['accent-700', 'surface'],
    ['accent-800', 'accent-50'],
    ['accent-800', 'accent-100'],
    ['danger-600', 'surface'],
    ['danger-700', 'danger-50'],
    ['warning-700', 'warning-50'],
    ['warning-700', 'warning-100'],
    ['info-700', 'info-50'],
    ['sand-800', 'sand-100'],
    ['day-ordered-ink', 'day-ordered'],
    ['day-cart-ink', 'day-cart'],
    ['day-closed-ink', 'day-closed'],
    ['day-closed-ink', 'sand-50'],
  ])('%s on %s, at least 4.5 to 1', (letters, ground) => {
    expect(contrast(scheme, letters, ground)).toBeGreaterThanOrEqual(4.5)
  })
})

describe.each(both)('what is pressed or has the focus can be seen, %s', (scheme) => {
  test.each([
    ['sand-400', 'surface'],
    ['sand-400', 'page'],
    ['sand-400', 'white'],
    ['danger-600', 'surface'],
    ['brand-700', 'surface'],
    ['accent-500', 'page'],
    ['accent-500', 'surface'],
    ['accent-500', 'head'],
    ['brand-700', 'sand-200'],
    ['accent-500', 'white'],
    ['white', 'danger-700'],
  ])('%s on %s, at least 3 to 1', (mark, ground) => {
    expect(contrast(scheme, mark, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('a colour without a name is an error, not a contrast', () => {
  expect(() => contrast('dark', 'ink', 'mustard')).toThrow('The theme has no colour mustard')
})

test('every colour has its value by night, but those that stand for another', () => {
  const same = [...schemes.light.keys()].filter((name) => !namesByNight.includes(name))
  expect(same).toEqual(['scrim-ink', 'day-ordered', 'day-ordered-ink', 'day-closed', 'day-closed-ink'])
  expect(namesByNight.filter((name) => !schemes.light.has(name))).toEqual([])
})

test('the bar of the browser has the colour of the head, by day and by night', () => {
  const page = readFileSync(join(__dirname, '../../web/index.html'), 'utf8')
  for (const scheme of both)
    expect(page).toContain(
      `<meta name="theme-color" content="${hexOf(scheme, 'head')}" media="(prefers-color-scheme: ${scheme})" />`,
    )
})

test('the page shown without a connection has the colours of the theme', () => {
  const page = readFileSync(join(__dirname, '../../web/public/sw.js'), 'utf8')
  const tokens = {
    page: 'page',
    ink: 'ink',
    muted: 'muted',
    button: 'brand-700',
    'on-button': 'white',
    ring: 'accent-500',
  }
  for (const scheme of both)
    for (const [part, token] of Object.entries(tokens))
      expect(page).toContain(`--${part}: ${hexOf(scheme, token)}`)
})
