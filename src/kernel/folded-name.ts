// As code points, so that JavaScript and Postgres share one character class.
const blanks = String.raw`\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
const apostrophes = String.raw`\u0022\u0027\u0060\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02d8-\u02dd\u0374\u055a\u05f3\u07f4\u07f5\u2018-\u201f\u2032-\u2037\u275b-\u275e\ua78b\ua78c\uff07`
const hyphens = String.raw`\u002d\u058a\u05be\u2010-\u2015\u2043\u207b\u2212\u2e17\u2e3a\u2e3b\ufe58\ufe63\uff0d`
const marks = String.raw`\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f`
const unseen = String.raw`\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb`
const dropped = `[${blanks}${apostrophes}${hyphens}${marks}${unseen}]+`

const droppedSigns = new RegExp(dropped, 'gu')

/** For comparing and searching: without accents, apostrophes, hyphens, blanks or case. `Ng’andu` and `NG'ANDU` are `ngandu`. */
export const foldedName = (text: string): string =>
  text.normalize('NFKD').toLowerCase().replaceAll(droppedSigns, '')

/** Text without letters stays as typed, so that it matches no folded name. */
export const foldedSearch = (text: string): string => foldedName(text) || text

export const foldedWords = (text: string, most: number): string[] => {
  const words = text.split(/\s+/).map(foldedName).filter(Boolean)
  return words.length > 0 ? words.slice(0, most) : [text]
}

/** `foldedName` as an SQL expression; null stays null. */
export const foldedSql = (expression: string): string =>
  `regexp_replace(lower(normalize(${expression}, NFKD)), '${dropped}', '', 'g')`

/** True without a visible letter or digit; modifier letters do not count. */
export const isBlankName = (text: string): boolean =>
  !/[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u.test(foldedName(text))

/** Letters and digits in capitals, as people copy a code. Indexes use this expression. */
export const normalizedCodeSql = (column: string): string =>
  `upper(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g'))`
