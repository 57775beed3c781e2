import { isBlankName } from '#kernel/folded-name'
import { refuse } from '../refusals'

const scripts = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Ethiopic',
  'Devanagari',
  'Bengali',
  'Gujarati',
  'Gurmukhi',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Armenian',
  'Georgian',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
]
const ofOneScript = scripts.map((script) => new RegExp(`^[\\p{Script=${script}}\\p{M}0-9._@-]+$`, 'u'))

const notAllowed = 'Use letters of one alphabet, digits and . - _ @'
const taken = 'This username is already taken'

/** `looksLikeAdministrator` counts as taken. */
export const decideUsername = (username: string, looksLikeAdministrator: boolean): void => {
  const normal = username.normalize('NFKC')
  const isUnseen = isBlankName(normal) || /[\u115f\u1160]/.test(normal)
  if (isUnseen || !ofOneScript.some((pattern) => pattern.test(normal)))
    throw refuse('username_not_allowed', notAllowed, { fields: { username: notAllowed } })
  if (looksLikeAdministrator) throw refuse('username_taken', taken, { fields: { username: taken } })
}
