import * as z from 'zod/mini'
import { columnOrNone, leftOutOfFile, mappedColumn } from './csv'
import { endpoint, idParam } from './endpoint'

/** Head by column; a second `Amount` is `Amount (2)`. `direction` says which way each row's amount went. */
export const settlementMapping = z
  .strictObject({
    token: mappedColumn,
    transRef: mappedColumn,
    companyRef: mappedColumn,
    type: columnOrNone,
    status: columnOrNone,
    direction: columnOrNone,
    at: mappedColumn,
    gross: mappedColumn,
    fee: mappedColumn,
    reserve: mappedColumn,
    net: mappedColumn,
  })
  .check(
    z.refine(
      ({ token, transRef, companyRef }) => (token ?? transRef ?? companyRef) !== undefined,
      'Choose the column that names the payment',
    ),
    z.refine(({ gross }) => gross !== undefined, 'Choose the column with the gross amount'),
  )
export type SettlementMapping = z.infer<typeof settlementMapping>
export type SettlementColumn = keyof SettlementMapping

export const settlementForm = z.object({ mapping: z.optional(settlementMapping) })

/** `missing_here`: only the provider has it (a chargeback always); `missing_there`: ours, within the file's days, absent from the file. */
export const settlementStates = ['matched', 'amount_differs', 'missing_here', 'missing_there'] as const
export type SettlementState = (typeof settlementStates)[number]

const settlementTypes = ['payment', 'refund', 'chargeback'] as const
export type SettlementType = (typeof settlementTypes)[number]

/** Amounts in kwacha, not negative. `row` as in a spreadsheet, null if not in the file; `reference` is ours, else the file's. */
const settlementRow = z.object({
  row: z.nullable(z.number()),
  type: z.enum(settlementTypes),
  state: z.enum(settlementStates),
  reference: z.nullable(z.string()),
  ours: z.nullable(z.number()),
  theirs: z.nullable(z.number()),
})
export type SettlementRow = z.infer<typeof settlementRow>

const facts = {
  id: z.number(),
  fileName: z.string(),
  uploadedAt: z.string(),
  uploadedBy: z.string(),
  counts: z.record(z.enum(settlementStates), z.number()),
  /** Kwacha, as in the file; `gross` is less refunds and chargebacks. Null without that column. */
  totals: z.object({
    gross: z.number(),
    fee: z.nullable(z.number()),
    reserve: z.nullable(z.number()),
    net: z.nullable(z.number()),
  }),
}
const settlementHead = z.object(facts)
export type SettlementHead = z.infer<typeof settlementHead>
const settlement = z.object({
  ...facts,
  rows: z.array(settlementRow),
  errors: z.array(z.object({ row: z.number(), message: z.string() })),
  ...leftOutOfFile,
})
export type Settlement = z.infer<typeof settlement>

/** Multipart `file` and `mapping`; stores only the result. 422 `mapping_needed` for unknown heads; a sent `mapping` is kept. */
export const uploadSettlement = endpoint('POST', '/api/books/settlements', {
  status: 201,
  reply: settlement,
})

export const settlements = endpoint('GET', '/api/books/settlements', {
  reply: z.object({ data: z.array(settlementHead) }),
})

export const settlementOf = endpoint('GET', '/api/books/settlements/:id', {
  params: idParam,
  reply: settlement,
})
