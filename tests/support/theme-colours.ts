import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (file: string) => readFileSync(join(__dirname, '../../web', file), 'utf8')

const tokensIn = (css: string): [string, string][] =>
  [...css.matchAll(/--color-([\w-]+):\s*(#[\da-f]{6}|var\(--color-[\w-]+\));/g)].map(([, name, value]) => [
    name!,
    value!,
  ])

const theme = tokensIn(read('theme.css').split('@media print')[0]!)
const night = tokensIn(/:root \{\n\s+color-scheme: dark;[^}]+\}/.exec(read('dark.css'))?.[0] ?? '')

export const schemes = {
  light: new Map(theme),
  dark: new Map([...theme, ...night]),
}
export type Scheme = keyof typeof schemes

/** The names of which the dark scheme has a value of its own. */
export const namesByNight = night.map(([name]) => name)

/** The hex of a name in a scheme; one token may stand for another. */
export const hexOf = (scheme: Scheme, name: string): string => {
  const value = schemes[scheme].get(name)
  if (!value) throw new Error(`The theme has no colour ${name}`)
  return value.startsWith('#') ? value : hexOf(scheme, /--color-([\w-]+)/.exec(value)![1]!)
}

const luminance = (hex: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** The contrast of two colours given in hex (WCAG 2.2). */
export const contrastOf = (one: string, other: string): number => {
  const [light, dark] = [one, other].map(luminance).toSorted((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}
