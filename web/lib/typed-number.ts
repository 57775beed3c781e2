const grouped = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/
const plain = /^\d+$/
/** A thousand to some, and one with three decimals to others. */
const eitherWay = /^\d{1,3}\.\d{3}$/

/** Digits with a dot for the decimal sign; null for what is not clearly a number. A last comma or dot with one or two digits is the sign. */
const digitsOf = (text: string): string | null => {
  const typed = text.replaceAll(/[\s\u00A0\u202F]|^\s*K|K\s*$/gi, '')
  const [, sign = '', rest = ''] = /^(-?)(.*)$/.exec(typed) ?? []
  const [, whole = rest, mark = '', decimals = ''] = /^(.+)([.,])(\d{1,2})$/.exec(rest) ?? []
  const group = grouped.exec(whole)?.[1]
  const isWhole = plain.test(whole) || (group !== undefined && group !== mark && !eitherWay.test(rest))
  return isWhole ? `${sign}${whole.replaceAll(/[.,]/g, '')}${decimals && `.${decimals}`}` : null
}

/** For fields of numbers: null where nothing is typed, NaN where it is unclear, so that it is refused and never saved as nothing. */
export const typedNumber = (typed: string | number | null): number | null => {
  if (typed === null || typeof typed === 'number') return typed
  return typed.trim() === '' ? null : Number(digitsOf(typed) ?? NaN)
}

/** For fields of decimal text: "45,50" → "45.50". What is unclear stays, for the field to refuse. */
export const plainNumber = (typed: string): string => digitsOf(typed) ?? typed.trim()
