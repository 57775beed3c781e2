import * as z from 'zod/mini'

/** Characters at which a program may split a cell, followed by one that starts a spreadsheet formula. Blanks in between do not help. */
const formulaBegins = /[,;|\t\r\n](?= *[=+\-@\t\r＝＋－＠])/g

const withoutFormulas = (text: string): string => `\n${text}`.replaceAll(formulaBegins, "$&'").slice(1)

/** Options for csv-stringify (RFC 4180): every cell quoted, formulas defused. A number is an amount in kwacha and may be negative. */
export const csvFormat = {
  record_delimiter: 'windows',
  quoted: true,
  quoted_empty: true,
  cast: { string: withoutFormulas, number: (amount: number) => amount.toFixed(2) },
} as const

/** Body of 422 `mapping_needed`: heads and first rows of the file, and the part of the mapping that is known. */
export const mappingNeeded = z.object({
  heads: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  guess: z.optional(z.record(z.string(), z.string())),
})
