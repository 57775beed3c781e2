import * as z from 'zod/mini'
import { endpoint, pageMetadata, rowNumber, wholeNumber, numberUpTo } from './endpoint'
import { student } from './identity'

/** The columns of the school's list; heads are found in any order and case, `Adm. No.` and `E-mail` among them. */
export const rollColumns = [
  'admissionNumber',
  'student',
  'grade',
  'class',
  'guardian',
  'email',
  'phone',
] as const
const rollColumn = z.enum(rollColumns)
export type RollColumn = z.infer<typeof rollColumn>

/** `matched`: it may be a child that has no number yet; the office decides, and undecided it is left out. */
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
  /** The name of the account that has it; null: none. */
  parent: text,
  /** The address of that account, which proves more than a name that the account chose itself. */
  account: z.nullable(rollAccount),
  /** What the roll says of the guardian of a child that no account has. */
  guardian: text,
  email: text,
  phone: text,
  /** The school's own list has it, and it is at the school. */
  onRoll: z.boolean(),
})

/**
 * A row as it will be applied: where the file does not have a column, with what the child has. `row` counts as in the file, the head
 * is 1. `before`: the child that it changes, as it is now; `candidates` of a matched row: the children that it may be, at most 20.
 * `isClear`: a matched row whose only candidate has its name, and no account but one with the verified address of the row.
 */
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

/** A row that is not read, and why, as spreadsheets count rows. `column` is one of `rollColumns`, null for the row as a whole. */
const rollError = z.object({ row: z.number(), column: z.nullable(rollColumn), message: z.string() })
export type RollError = z.infer<typeof rollError>

/** A value of a guardian that says that there is none: `n/a`, `none@none.com`, `0000000000`. It is read as empty. */
export type RollPlaceholder = { row: number; column: 'guardian' | 'email' | 'phone'; value: string }

/**
 * A value that several children of the list have and that joins them to no family: `placeholder`: it is nobody's; `shared`: it
 * stands beside different guardians; `name`: a guardian's name alone. `students` are the first 20 of `children`.
 */
const notJoined = z.object({
  column: z.enum(['guardian', 'email', 'phone']),
  value: z.string(),
  why: z.enum(['placeholder', 'shared', 'name']),
  children: z.number(),
  students: z.array(z.string()),
})
export type NotJoined = z.infer<typeof notJoined>

/**
 * Multipart `file` (CSV, at most 5,000 rows). Changes nothing. `new`, `changed`, `same`, `matched` and `leaving` are how many;
 * `rows` the first 200 that are good, `errors` the first 1,000. `roll`: how many children the list has now; where `leaving` is
 * more than a tenth of them, applying with `remove` needs `confirm: leaving`. A preview is kept for a day.
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
    roll: z.number(),
    errors: z.array(rollError),
    rows: z.array(rollRow),
    /** Columns of the file that mean nothing here, by their heads. */
    notRead: z.array(z.string()),
    notJoined: z.array(notJoined),
  }),
})

const importParam = z.object({ id: z.uuid() })

/** The good rows of a preview, 50 a page, of one state or all: for the decisions on matched rows. */
export const previewedRows = endpoint('GET', '/api/roll/:id/rows', {
  params: importParam,
  query: z.object({
    page: z.optional(wholeNumber),
    limit: z.optional(numberUpTo(200)),
    state: z.optional(rollRowState),
  }),
  reply: z.object({ data: z.array(rollRow), metadata: pageMetadata }),
})

/** The children who are not in the list of a preview and would leave with `remove`, 50 a page, by class and name. */
export const leavingChildren = endpoint('GET', '/api/roll/:id/leaving', {
  params: importParam,
  query: z.object({ page: z.optional(wholeNumber), limit: z.optional(numberUpTo(200)) }),
  reply: z.object({ data: z.array(rollChild), metadata: pageMetadata }),
})

/**
 * The children of a family that share a code; `link` opens the registration with it; `mailed`: it also goes to the guardian's
 * address. Shown this once.
 */
const claimCodeLetter = z.object({
  /** 8 letters. */
  code: z.string(),
  link: z.string(),
  guardian: text,
  students: z.array(z.object({ id: z.number(), name: z.string(), class: text })),
  expiresAt: z.string(),
  mailed: z.boolean(),
})
export type ClaimCodeLetter = z.infer<typeof claimCodeLetter>

const namedChild = z.object({ id: z.number(), name: z.string(), class: text })

/**
 * Applies a preview exactly as it was shown, or refuses with `roll_changed` (409): somebody changed the roll since, or it was
 * applied before. `decisions`: by the number of a matched row one of its candidates or `new`; `decision_wrong` (422)
 * for anything else. `confirm_leaving` (422, `leaving`, `roll`) where the number is missing. `kept` children were to leave and have
 * lunches to come; `leftOut`: matched rows without a decision; `codes`: those of the families that got one, to be printed.
 */
export const applyRoll = endpoint('POST', '/api/roll/:id/apply', {
  params: importParam,
  body: z.object({
    remove: z.boolean(),
    confirm: z.optional(z.int().check(z.gte(0), z.lte(100_000))),
    decisions: z.optional(
      z.record(z.string().check(z.regex(/^\d{1,6}$/)), z.union([rowNumber(), z.literal('new')])),
    ),
  }),
  reply: z.object({
    added: z.number(),
    changed: z.number(),
    left: z.number(),
    leftOut: z.number(),
    kept: z.array(namedChild),
    codes: z.array(claimCodeLetter),
    /** Until then it can be undone. */
    undoUntil: z.string(),
  }),
})

/**
 * Puts back what an import did, within 7 days: `undo_too_late` (409) later. `ordered_since` (409, `students`) where something was
 * ordered since for a child that it added or changed. `kept`: those who were claimed or edited since stay as they are.
 */
export const undoRoll = endpoint('POST', '/api/roll/:id/undo', {
  params: importParam,
  reply: z.object({ undone: z.number(), kept: z.array(namedChild) }),
})

/** The import that can still be undone, if there is one: the latest that was applied. */
export const lastRollImport = endpoint('GET', '/api/roll/last-import', {
  reply: z.object({
    import: z.nullable(z.object({ id: z.uuid(), appliedAt: z.string(), undoUntil: z.string() })),
  }),
})

/**
 * New codes for the families of these children, whatever they had is void: one a family, for all of its children that no account
 * has. Children whom an account has are left out. `together`: these children are one family, whatever the list says: one code.
 */
export const claimCodes = endpoint('POST', '/api/roll/claim-codes', {
  body: z.object({
    studentIds: z.array(rowNumber()).check(z.minLength(1, 'Choose a child'), z.maxLength(5000)),
    together: z.optional(z.boolean()),
  }),
  reply: z.object({ codes: z.array(claimCodeLetter) }),
})

/** A code as people type it: small letters and separators do not matter. */
const claimCode = z.string().check(z.trim(), z.minLength(1, 'Enter the code'), z.maxLength(20))

/** Puts the family of this code on the signed-in parent's account: `claim_code_wrong` (422) for one that is not valid. */
export const claimStudents = endpoint('POST', '/api/students/claim', {
  body: z.object({ code: claimCode }),
  reply: z.array(student),
})
