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
  /** Null: somebody said that the file has no such column. */
  guess: z.optional(z.record(z.string(), z.nullable(z.string()))),
})

const head = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
/** The head of a mapped column. */
export const mappedColumn = z.optional(head)
/** Null: the file has no such column, and it is not asked for. */
export const columnOrNone = z.nullish(head)

/** A row that does not count, with the reason in words; `amount` in kwacha, null where the row has none. */
const leftOutRow = z.object({ row: z.number(), reason: z.string(), amount: z.nullable(z.number()) })
export type LeftOutRow = z.infer<typeof leftOutRow>

export const mostLeftOut = 200

/** What every upload says of rows that neither count nor are errors: the first 200, how many, and what a clerk should know. */
export const leftOutOfFile = {
  leftOut: z.array(leftOutRow).check(z.maxLength(mostLeftOut)),
  leftOutCount: z.number(),
  notes: z.array(z.string()),
}
export const leftOutRows = z.array(leftOutRow)
