import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { recordAccountChange, rollChildRows, userRows, studentRows } from '#modules/identity/index'
import type { ClaimedStudent, RollChild } from '#modules/identity/published'
import { letter, type Mail } from '#modules/messaging/published'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { EnrolmentNeeds } from '../ports'
import { refuse } from '../refusals'
import { joined } from '../roll/families.decide'
import { rollImportRows } from '../roll/roll-imports.rows'
import { addressesOf, tellRollAddresses } from '../roll/tell-roll-addresses.commands'
import { claimCodeRows, tryingClaimCode, type ClaimCodeRow } from './claim-tries.commands'

const daysValid = 90

export const claimCommands = (needs: EnrolmentNeeds) => ({
  /** Earlier codes become void. `together`: these children are one family. */
  claimCodes: (
    studentIds: readonly number[],
    { together, by }: { together: boolean; by: By },
  ): Promise<ClaimCodeLetter[]> =>
    needs.database.knex.transaction(async (transaction) => {
      await rollImportRows(transaction).lock()
      const wanted = new Set(studentIds)
      const children = await unclaimed(transaction)
      const all = joined(children)
      const chosen = children.filter(({ id }) => wanted.has(id))
      const letters =
        together && chosen.length > 0
          ? await giveCodes(needs, transaction, { families: [chosen], mailable: null })
          : await giveCodes(needs, transaction, {
              families: all.families.filter((family) => family.some(({ id }) => wanted.has(id))),
              mailable: all.mailable,
            })
      const what = `Codes made for ${letters.length} families of the roll`
      await recordAccountChange(transaction, needs, by, what)
      return letters
    }),

  /** Throws `claim_code_wrong`, and `too_many_requests` after too many. */
  claim: (code: string, from: { userId: number; ip: string }, by: By): Promise<ClaimedStudent[]> =>
    tryingClaimCode(needs, from, () =>
      needs.database.knex.transaction((transaction) =>
        claimWithin(needs, transaction, { code, userId: from.userId }, by),
      ),
    ),
})

/** A code works once. Throws `claim_code_wrong`. */
export const claimWithin = async (
  needs: EnrolmentNeeds,
  transaction: Knex.Transaction,
  { code, userId }: { code: string; userId: number },
  by: By,
): Promise<ClaimedStudent[]> => {
  const account = await userRows(transaction).lock(userId)
  const hashes = claimCodeHashes(needs.signingKeys).sought(code)
  const ids = await claimCodeRows(transaction).take(hashes, needs.now())
  const children = (await rollChildRows(transaction).byIds(ids)).filter(isWaiting)
  const found = children.map(({ id }) => id)
  if (account?.role !== 'parent' || account.deletedAt || found.length === 0) throw codeWrong()
  await tellRollAddresses(needs, transaction, { children, account })
  await rollChildRows(transaction).giveTo(userId, found)
  await claimCodeRows(transaction).removeOf(found)
  for (const id of found)
    await recordAccountChange(
      transaction,
      needs,
      by,
      `Student ${id} of the roll claimed by ${accountNamed(userId)}`,
    )
  return (await studentRows(transaction).ofUser(userId)).filter(({ id }) => found.includes(id))
}

const codeWrong = () => {
  const message = 'This code is not valid. Check its letters, or ask the school office for a new one.'
  return refuse('claim_code_wrong', message, { fields: { code: message } })
}

const isWaiting = ({ userId, leftAt }: RollChild): boolean => userId === null && leftAt === null

const unclaimed = async (transaction: Knex.Transaction): Promise<RollChild[]> =>
  (await rollChildRows(transaction).lockAll()).filter(isWaiting)

type NewFamilies = {
  /** An open letter of the family names them too. */
  joining: ClaimCodeRow[]
  families: RollChild[][]
  mailable: ReadonlySet<string>
}

/** Families that get a letter for these children. A child that joins a family with an open letter shares its code. */
const newFamilies = (
  children: readonly RollChild[],
  { ids, codes, at }: { ids: readonly number[]; codes: readonly ClaimCodeRow[]; at: Date },
): NewFamilies => {
  const wanted = new Set(ids)
  const known = new Map(codes.map((row) => [row.studentId, row]))
  const { families: all, mailable } = joined(children.filter(isWaiting))
  const touched = all.filter((family) => family.some(({ id }) => wanted.has(id) && !known.has(id)))
  const joining: ClaimCodeRow[] = []
  const families: RollChild[][] = []
  for (const family of touched) {
    const out = family.flatMap(({ id }) => known.get(id) ?? []).find(({ expiresAt }) => expiresAt > at)
    if (out) joining.push(...family.map(({ id: studentId }) => ({ ...out, studentId })))
    else families.push(family)
  }
  return { joining, families, mailable }
}

export const codesForNew = async (
  needs: EnrolmentNeeds,
  transaction: Knex.Transaction,
  ids: readonly number[],
): Promise<ClaimCodeLetter[]> => {
  const codes = await claimCodeRows(transaction).all()
  const children = await unclaimed(transaction)
  const { joining, ...letters } = newFamilies(children, { ids, codes, at: needs.now() })
  await claimCodeRows(transaction).put(joining)
  return giveCodes(needs, transaction, letters)
}

/** Letters that `codesForNew` would make, were the roll like this. */
export const lettersForNew = async (
  { database, now }: EnrolmentNeeds,
  roll: readonly RollChild[],
  ids: readonly number[],
): Promise<{ letters: number; mailed: number }> => {
  const present = new Set(roll.map(({ id }) => id))
  const codes = (await claimCodeRows(database.knex).all()).filter(({ studentId }) => present.has(studentId))
  const { families, mailable } = newFamilies(roll, { ids, codes, at: now() })
  const mailed = families.filter((family) => mailAddressOf(family, mailable) !== null).length
  return { letters: families.length, mailed }
}

const mailAddressOf = (family: readonly RollChild[], mailable: ReadonlySet<string> | null): string | null =>
  addressesOf(family).find((address) => mailable === null || mailable.has(address)) ?? null

/** `mailable`: addresses of one family; null: all plausible ones. */
const giveCodes = async (
  { now, messaging, signingKeys, publicUrl, schoolName }: EnrolmentNeeds,
  transaction: Knex.Transaction,
  { families, mailable }: { families: readonly RollChild[][]; mailable: ReadonlySet<string> | null },
): Promise<ClaimCodeLetter[]> => {
  const codes = claimCodeRows(transaction)
  const { stored } = claimCodeHashes(signingKeys)
  const taken = new Set((await codes.all()).map(({ hash }) => hash))
  const expiresAt = new Date(now().getTime() + daysValid * dayMs)
  const rows: ClaimCodeRow[] = []
  const letters: ClaimCodeLetter[] = []
  const mails: Mail[] = []
  for (const family of families) {
    const code = freeCode(taken, stored)
    rows.push(...family.map(({ id: studentId }) => ({ studentId, hash: stored(code), expiresAt })))
    const to = mailAddressOf(family, mailable)
    const link = linkOf(code, publicUrl)
    if (to) mails.push(claimCodeMail({ to, code, link, days: daysValid, schoolName }))
    const students = family.map(({ id, name, class: of }) => ({ id, name, class: of }))
    const guardian = family.find(({ guardianName }) => guardianName)?.guardianName ?? null
    letters.push({ code, link, guardian, students, expiresAt: expiresAt.toISOString(), mailed: to !== null })
  }
  await codes.put(rows)
  await messaging.addMails(transaction, mails)
  return letters
}

const linkOf = (code: string, publicUrl: string): string =>
  new URL(`/register?code=${code}`, publicUrl).toString()

const freeCode = (taken: Set<string>, stored: (code: string) => string): string => {
  const code = newClaimCode()
  if (taken.has(stored(code))) return freeCode(taken, stored)
  taken.add(stored(code))
  return code
}

// No vowels, so no words; no I, L, O, Q, U, which look like others.
const letters = 'BCDFGHJKMNPRSTVWXYZ'

export const newClaimCode = (): string =>
  Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')

const keyFrom = (signingKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', signingKey, '', 'tuckshop claim code', 32))

const hash = (code: string, key: Buffer): string =>
  createHmac('sha256', key)
    .update(code.toUpperCase().replaceAll(/[^A-Z]/g, ''))
    .digest('base64url')

/** Keys derive from the session keys, so tables or backups give no codes. Removing an old key voids its codes. */
export const claimCodeHashes = (signingKeys: readonly string[]) => {
  const keys = signingKeys.map(keyFrom)
  return {
    stored: (code: string): string => hash(code, keys[0]!),
    /** With every key; ignores case and separators. */
    sought: (code: string): string[] => keys.map((key) => hash(code, key)),
  }
}

const claimCodeMail = (about: {
  to: string
  code: string
  link: string
  days: number
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your family's code for school lunches at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      'with this code you order school lunches for your children:',
      about.code,
      `Open ${about.link} within ${about.days} days, and register or log in. The code can be used once.`,
      'If you have no child at our school, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

export const claimCodeRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'enrolment.claim_codes',
  about: 'Codes of letters to families',
  kept: 'until it is used or replaced, 90 days at most',
  remove: deleteUntil(pool, 'enrolment.claim_codes', '"expiresAt" <= $1', now),
})
