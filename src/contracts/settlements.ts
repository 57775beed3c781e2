import * as z from 'zod/mini'
import { endpoint, idParam } from './endpoint'

/** What a column of the card provider's settlement can mean; `at`: when the card was charged; `status`: whether it was settled. */
const settlementColumns = [
  'token',
  'transRef',
  'companyRef',
  'type',
  'status',
  'at',
  'gross',
  'fee',
  'reserve',
  'net',
] as const
export type SettlementColumn = (typeof settlementColumns)[number]

/** Which head of the file stands for which column. A second `Amount` of a file is called `Amount (2)`, and so on. */
export const settlementMapping = z
  .partialRecord(z.enum(settlementColumns), z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))
  .check(
    z.refine(
      ({ token, transRef, companyRef }) => (token ?? transRef ?? companyRef) !== undefined,
      'Say which column names the payment',
    ),
    z.refine(({ gross }) => gross !== undefined, 'Say which column is the gross amount'),
  )
export type SettlementMapping = z.infer<typeof settlementMapping>

/** What the form of an upload holds beside the `file`. */
export const settlementForm = z.object({ mapping: z.optional(settlementMapping) })

/**
 * `missing_here`: the provider has it and we have not, as a chargeback always is; `missing_there`: ours, of the days that
 * the file covers, and not in the file.
 */
export const settlementStates = ['matched', 'amount_differs', 'missing_here', 'missing_there'] as const
export type SettlementState = (typeof settlementStates)[number]

const settlementTypes = ['payment', 'refund', 'chargeback'] as const
export type SettlementType = (typeof settlementTypes)[number]

/**
 * Amounts in kwacha, never negative. `row` as a spreadsheet counts it, null for what the file has not; `reference` is ours,
 * or else how the file names the payment.
 */
const settlementRow = z.object({
  row: z.nullable(z.number()),
  type: z.enum(settlementTypes),
  state: z.enum(settlementStates),
  reference: z.nullable(z.string()),
  ours: z.nullable(z.number()),
  theirs: z.nullable(z.number()),
})
export type SettlementRow = z.infer<typeof settlementRow>

const head = {
  id: z.number(),
  fileName: z.string(),
  uploadedAt: z.string(),
  /** The name of the administrator. */
  uploadedBy: z.string(),
  /** How many rows there are of each state. */
  counts: z.record(z.enum(settlementStates), z.number()),
  /**
   * Sums over the file in kwacha, as it has them: refunds and chargebacks are taken from `gross`. Null without a column.
   * The provider may pay out less than gross less fee.
   */
  totals: z.object({
    gross: z.number(),
    fee: z.nullable(z.number()),
    reserve: z.nullable(z.number()),
    net: z.nullable(z.number()),
  }),
}
const settlementHead = z.object(head)
export type SettlementHead = z.infer<typeof settlementHead>
const settlement = z.object({
  ...head,
  rows: z.array(settlementRow),
  /** Rows that could not be read. */
  errors: z.array(z.object({ row: z.number(), message: z.string() })),
})
export type Settlement = z.infer<typeof settlement>

/**
 * Multipart: `file` and, as JSON, `mapping`. Compares what the card provider has settled with our card payments and what
 * went back to cards, and changes nothing but this note. Heads that nobody has mapped yet are 422 `mapping_needed` with
 * `heads: [text]` and `sample: [[text]]`; once sent with a `mapping` it is kept for files with these heads.
 */
export const uploadSettlement = endpoint('POST', '/api/books/settlements', {
  status: 201,
  reply: settlement,
})

/** The latest settlements, the newest first, at most 100. */
export const settlements = endpoint('GET', '/api/books/settlements', {
  reply: z.object({ data: z.array(settlementHead) }),
})

export const settlementOf = endpoint('GET', '/api/books/settlements/:id', {
  params: idParam,
  reply: settlement,
})
