import * as z from 'zod/mini'

/**
 * At what a program may split a file, and behind it what a spreadsheet may take for the beginning of a formula; blanks
 * in front do not hinder it.
 */
const formulaBegins = /[,;|\t\r\n](?= *[=+\-@\t\r＝＋－＠])/g

/** The cell with an apostrophe before what would be a formula, at its beginning too. */
const withoutFormulas = (text: string): string => `\n${text}`.replaceAll(formulaBegins, "$&'").slice(1)

/**
 * How every CSV file of the product is written (RFC 4180), for csv-stringify: every cell quoted, none a formula. A cell
 * that is a number is an amount in kwacha, which may be negative.
 */
export const csvFormat = {
  record_delimiter: 'windows',
  quoted: true,
  quoted_empty: true,
  cast: { string: withoutFormulas, number: (amount: number) => amount.toFixed(2) },
} as const

/**
 * Answer of 422 `mapping_needed`, beside its code and message: an uploaded file's heads and first rows, and what is known of
 * its mapping where only a part of it has to be said.
 */
export const mappingNeeded = z.object({
  heads: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  guess: z.optional(z.record(z.string(), z.string())),
})
