import type { Knex } from 'knex'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { accountNamed } from '#platform/changes'
import { dayMs } from '#platform/retention'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { userRows } from '../accounts/users.rows'
import { claimCodeMail, type Mail } from '../mail/mails'
import { outboxRows } from '../mail/outbox.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import type { ClaimedStudent } from '../students/student.decide'
import { studentRows } from '../students/students.rows'
import { claimCodeHashes, newClaimCode } from './claim-code.commands'
import { claimCodeRows, type ClaimCodeRow } from './claim-codes.rows'
import { familiesOf } from './families.decide'
import { rollImportRows } from './roll-imports.rows'
import type { RollChild } from './roll-plan.decide'

export type ClaimNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'publicUrl' | 'schoolName' | 'signingKeys'>

const daysValid = 90

/** Codes by which families of the roll come to their children (families.md section 4). */
export const claimCommands = (needs: ClaimNeeds) => ({
  /** New codes for the families of these children; those they had are void. */
  claimCodes: (studentIds: readonly number[], by: By): Promise<ClaimCodeLetter[]> =>
    needs.database.knex.transaction(async (transaction) => {
      await rollImportRows(transaction).lock()
      const wanted = new Set(studentIds)
      const families = familiesOf(await unclaimed(transaction)).filter((family) =>
        family.some(({ id }) => wanted.has(id)),
      )
      const letters = await giveCodes(needs, transaction, families)
      const what = `Codes made for ${letters.length} families of the roll`
      await recordAccountChange(transaction, needs, by, what)
      return letters
    }),

  /** Throws `claim_code_wrong`. */
  claim: (code: string, userId: number, by: By): Promise<ClaimedStudent[]> =>
    needs.database.knex.transaction((transaction) => claimWithin(needs, transaction, { code, userId }, by)),
})

/** Puts the children of a code on a parent's account, once. Throws `claim_code_wrong`. */
export const claimWithin = async (
  needs: Pick<ClaimNeeds, 'now' | 'signingKeys'>,
  transaction: Knex.Transaction,
  { code, userId }: { code: string; userId: number },
  by: By,
): Promise<ClaimedStudent[]> => {
  const account = await userRows(transaction).lock(userId)
  const hashes = claimCodeHashes(needs.signingKeys).sought(code)
  const ids = await claimCodeRows(transaction).take(hashes, needs.now())
  const found = (await rollImportRows(transaction).byIds(ids)).filter(isWaiting).map(({ id }) => id)
  if (account?.role !== 'parent' || account.deletedAt || found.length === 0) throw codeWrong()
  await rollImportRows(transaction).giveTo(userId, found)
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
  (await rollImportRows(transaction).lockChildren()).filter(isWaiting)

/**
 * Codes for those of these children's families that have none. A child that joins a family whose letter is still out comes with that
 * letter's code.
 */
export const codesForNew = async (
  needs: ClaimNeeds,
  transaction: Knex.Transaction,
  ids: readonly number[],
): Promise<ClaimCodeLetter[]> => {
  const wanted = new Set(ids)
  const at = needs.now()
  const known = new Map((await claimCodeRows(transaction).all()).map((row) => [row.studentId, row]))
  const families = familiesOf(await unclaimed(transaction)).filter((family) =>
    family.some(({ id }) => wanted.has(id) && !known.has(id)),
  )
  const joining: ClaimCodeRow[] = []
  const without: RollChild[][] = []
  for (const family of families) {
    const out = family.flatMap(({ id }) => known.get(id) ?? []).find(({ expiresAt }) => expiresAt > at)
    if (out) joining.push(...family.map(({ id: studentId }) => ({ ...out, studentId })))
    else without.push(family)
  }
  await claimCodeRows(transaction).put(joining)
  return giveCodes(needs, transaction, without)
}

const giveCodes = async (
  { now, signingKeys, publicUrl, schoolName }: ClaimNeeds,
  transaction: Knex.Transaction,
  families: readonly RollChild[][],
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
    const to = family.find(({ guardianEmail }) => guardianEmail)?.guardianEmail ?? null
    const link = linkOf(code, publicUrl)
    if (to) mails.push(claimCodeMail({ to, code, link, days: daysValid, schoolName }))
    const students = family.map(({ id, name, class: of }) => ({ id, name, class: of }))
    const guardian = family.find(({ guardianName }) => guardianName)?.guardianName ?? null
    letters.push({ code, link, guardian, students, expiresAt: expiresAt.toISOString(), mailed: to !== null })
  }
  await codes.put(rows)
  await outboxRows(transaction).addAll(mails, now())
  return letters
}

// The page is the web application's: web/lib/paths.ts.
const linkOf = (code: string, publicUrl: string): string =>
  new URL(`/register?code=${code}`, publicUrl).toString()

const freeCode = (taken: Set<string>, stored: (code: string) => string): string => {
  const code = newClaimCode()
  if (taken.has(stored(code))) return freeCode(taken, stored)
  taken.add(stored(code))
  return code
}
