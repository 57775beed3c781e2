import * as z from 'zod/mini'
import { leftOutOfFile, mappedColumn } from './csv'
import { endpoint, pageMetadata, rowNumber, wholeNumber, numberUpTo } from './endpoint'
import { student } from './identity'

/** Heads match in any order and case; variants such as `Adm. No.` and `E-mail` are known. */
export const rollColumns = [
  'admissionNumber',
  'student',
  'grade',
  'class',
  'guardian',
  'email',
  'phone',
  'bursary',
  'sponsor',
] as const
const rollColumn = z.enum(rollColumns)
export type RollColumn = z.infer<typeof rollColumn>

/** Head by column; a child's name in one column or in parts. */
export const rollMapping = z
  .strictObject({
    student: mappedColumn,
    firstName: mappedColumn,
    otherNames: mappedColumn,
    lastName: mappedColumn,
    admissionNumber: mappedColumn,
    grade: mappedColumn,
    class: mappedColumn,
    guardian: mappedColumn,
    email: mappedColumn,
    phone: mappedColumn,
    bursary: mappedColumn,
    sponsor: mappedColumn,
  })
  .check(
    z.refine(
      ({ student, firstName, lastName }) => (student ?? firstName ?? lastName) !== undefined,
      'Choose the column with the name of the child',
    ),
    z.refine(({ grade }) => grade !== undefined, 'Choose the column with the grade'),
  )
export type RollMapping = z.infer<typeof rollMapping>
export const rollForm = z.object({ mapping: z.optional(rollMapping) })

/** `matched`: perhaps a child without an admission number; the office decides, undecided rows are skipped. */
const rollRowStates = ['new', 'changed', 'same', 'matched'] as const
const rollRowState = z.enum(rollRowStates)
export type RollRowState = z.infer<typeof rollRowState>

const text = z.nullable(z.string())
const rollAccount = z.object({ username: z.string(), email: text, emailVerified: z.boolean() })
export type RollAccount = z.infer<typeof rollAccount>

const rollChild = z.object({
  id: z.number(),
  name: z.string(),
  grade: z.string(),
  class: text,
  admissionNumber: text,
  parent: text,
  /** Identifies the account better than a name chosen by its owner. */
  account: z.nullable(rollAccount),
  guardian: text,
  email: text,
  phone: text,
  onRoll: z.boolean(),
})

/** As it will be applied. `row` counts from 1 for the head. `candidates`: at most 20. `isClear`: one, of the same name. */
const rollRow = z.object({
  row: z.number(),
  state: rollRowState,
  admissionNumber: text,
  student: z.string(),
  grade: z.string(),
  class: text,
  guardian: text,
  email: text,
  phone: text,
  before: z.nullable(rollChild),
  candidates: z.array(rollChild),
  isClear: z.boolean(),
})
export type RollRow = z.infer<typeof rollRow>

/** `row` counts as in a spreadsheet; `column` is null for the whole row. */
const rollError = z.object({ row: z.number(), column: z.nullable(rollColumn), message: z.string() })
export type RollError = z.infer<typeof rollError>

/** Values such as `n/a`, `none@none.com` or `0000000000` are read as empty. */
export type RollPlaceholder = { row: number; column: 'guardian' | 'email' | 'phone'; value: string }

/** A shared value that joins no family: nobody's (`placeholder`), with different guardians (`shared`), or a name alone (`name`). */
const notJoined = z.object({
  column: z.enum(['guardian', 'email', 'phone']),
  value: z.string(),
  why: z.enum(['placeholder', 'shared', 'name']),
  children: z.number(),
  students: z.array(z.string()),
})
export type NotJoined = z.infer<typeof notJoined>

/**
 * Multipart `file`, a CSV of at most 5,000 rows, and `mapping`, which is kept by the headings. 422 `mapping_needed` without a column of
 * names or grades. Changes nothing; kept for a day. Answers the first 200 good rows and 1,000 errors.
 */
export const previewRoll = endpoint('POST', '/api/roll/preview', {
  status: 201,
  reply: z.object({
    id: z.uuid(),
    new: z.number(),
    changed: z.number(),
    same: z.number(),
    matched: z.number(),
    leaving: z.number(),
    /** How many change by rows that need no decision. */
    bursaries: z.number(),
    roll: z.number(),
    errors: z.array(rollError),
    rows: z.array(rollRow),
    notRead: z.array(z.string()),
    notJoined: z.array(notJoined),
    ...leftOutOfFile,
  }),
})

const importParam = z.object({ id: z.uuid() })

/** Good rows of a preview, 50 a page, for deciding matched rows. */
export const previewedRows = endpoint('GET', '/api/roll/:id/rows', {
  params: importParam,
  query: z.object({
    page: z.optional(wholeNumber),
    limit: z.optional(numberUpTo(200)),
    state: z.optional(rollRowState),
  }),
  reply: z.object({ data: z.array(rollRow), metadata: pageMetadata }),
})

/** Children missing from the list, who would leave with `remove`; 50 a page, by class and name. */
export const leavingChildren = endpoint('GET', '/api/roll/:id/leaving', {
  params: importParam,
  query: z.object({ page: z.optional(wholeNumber), limit: z.optional(numberUpTo(200)) }),
  reply: z.object({ data: z.array(rollChild), metadata: pageMetadata }),
})

/** One code for all children of a family; `link` opens registration; `mailed`: also sent to the guardian. Shown once. */
const claimCodeLetter = z.object({
  code: z.string(),
  link: z.string(),
  guardian: text,
  students: z.array(z.object({ id: z.number(), name: z.string(), class: text })),
  expiresAt: z.string(),
  mailed: z.boolean(),
})
export type ClaimCodeLetter = z.infer<typeof claimCodeLetter>

const namedChild = z.object({ id: z.number(), name: z.string(), class: text })

const decisions = z.optional(
  z.record(z.string().check(z.regex(/^\d{1,6}$/)), z.union([rowNumber(), z.literal('new')])),
)

/** Claim code letters that applying would make now; `mailed` of them go out by mail at once. 422 `decision_wrong`. */
export const previewLetters = endpoint('POST', '/api/roll/:id/letters', {
  params: importParam,
  body: z.object({ remove: z.boolean(), decisions }),
  reply: z.object({ letters: z.number(), mailed: z.number() }),
})

/** 409 `roll_changed` unless it applies exactly. 422 `decision_wrong`, 422 `confirm_leaving`. `kept` children have future lunches. */
export const applyRoll = endpoint('POST', '/api/roll/:id/apply', {
  params: importParam,
  body: z.object({
    remove: z.boolean(),
    confirm: z.optional(z.int().check(z.gte(0), z.lte(100_000))),
    decisions,
  }),
  reply: z.object({
    added: z.number(),
    changed: z.number(),
    left: z.number(),
    leftOut: z.number(),
    kept: z.array(namedChild),
    codes: z.array(claimCodeLetter),
    undoUntil: z.string(),
  }),
})

/** 409 `undo_too_late` after 7 days, 409 `ordered_since` after orders for added or changed children. `kept`: claimed or edited since. */
export const undoRoll = endpoint('POST', '/api/roll/:id/undo', {
  params: importParam,
  reply: z.object({ undone: z.number(), kept: z.array(namedChild) }),
})

export const lastRollImport = endpoint('GET', '/api/roll/last-import', {
  reply: z.object({
    import: z.nullable(z.object({ id: z.uuid(), appliedAt: z.string(), undoUntil: z.string() })),
  }),
})

/** New codes for families without an account; older codes become void. `together`: treat these children as one family. */
export const claimCodes = endpoint('POST', '/api/roll/claim-codes', {
  body: z.object({
    studentIds: z.array(rowNumber()).check(z.minLength(1, 'Choose a child'), z.maxLength(5000)),
    together: z.optional(z.boolean()),
  }),
  reply: z.object({ codes: z.array(claimCodeLetter) }),
})

const claimCode = z.string().check(z.trim(), z.minLength(1, 'Enter the code'), z.maxLength(20))

/** Adds the code's children to the caller's account; 422 `claim_code_wrong`. */
export const claimStudents = endpoint('POST', '/api/students/claim', {
  body: z.object({ code: claimCode }),
  reply: z.array(student),
})
