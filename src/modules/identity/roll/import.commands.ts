import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { applyRoll as applyCall, previewRoll, RollRowState } from '#contracts/roll-import'
import { readCsvFile } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { numberIsTaken } from '../students/students.rows'
import { claimCodeRows } from './claim-codes.rows'
import { codesForNew, type ClaimNeeds } from './claim.commands'
import { readRoll } from './roll-file.decide'
import { changesOf, decideAsPreviewed, decideLeaving, planTold, type RollChanges } from './roll-import.decide'
import { rollImportRows, type RollImport, type TouchedChild } from './roll-imports.rows'
import { planOfRoll, type RollChild, type RollPlan } from './roll-plan.decide'
import { shownChildren, shownRows } from './roll-preview.rows'
import { undoUntil } from './roll-undo.decide'

export type ImportNeeds = ClaimNeeds & Pick<IdentityNeeds, 'ordering'>

const mostRows = 5000
const mostShown = 200
const mostErrors = 1000

/** The school's list is looked through, and applied as it was shown, in one transaction (families.md section 4). */
export const importCommands = (needs: ImportNeeds) => {
  const { knex } = needs.database

  const preview = async (bytes: Buffer): Promise<ReplyOf<typeof previewRoll>> => {
    const file = readRoll(await readCsvFile(bytes, mostRows + 1))
    const plan = planOfRoll(file, await rollImportRows(knex).children())
    const id = v7()
    await rollImportRows(knex).insert({ id, createdAt: needs.now(), file, plan: planKey(plan) })
    return {
      id,
      ...countsOf(plan),
      errors: file.errors.slice(0, mostErrors),
      rows: await shownRows(knex, plan.rows.slice(0, mostShown)),
    }
  }

  const apply = (
    { id, remove, confirm, decisions = {} }: { id: string } & BodyOf<typeof applyCall>,
    by: By,
  ): Promise<ReplyOf<typeof applyCall>> =>
    knex.transaction(async (transaction) => {
      const rows = rollImportRows(transaction)
      await rows.lock()
      const { file, plan: shown } = decideToApply(await rows.byId(id))
      const plan = planOfRoll(file, await rows.lockChildren())
      decideAsPreviewed(shown, planKey(plan))
      decideLeaving(plan, { remove, confirm })
      const changes = changesOf(plan, { remove, decisions })
      const at = needs.now()
      const kept = await withLunchesToCome(transaction, changes.leaving)
      const leaving = changes.leaving.filter((child) => !kept.includes(child))
      const touched = await write(transaction, { ...changes, leaving }, at)
      await rows.markApplied(id, at, touched)
      const ofAccounts = touched.filter(({ after }) => after.leftAt === null && after.userId === null)
      const codes = await codesForNew(
        needs,
        transaction,
        ofAccounts.map((one) => one.after.id),
      )
      const counts = { added: changes.added.length, changed: changes.changed.length, left: leaving.length }
      const what = `Roll imported: ${counts.added} added, ${counts.changed} changed, ${counts.left} left`
      await recordAccountChange(transaction, needs, by, what)
      const { leftOut } = changes
      return { ...counts, leftOut, kept: kept.map(named), codes, undoUntil: undoUntil(at).toISOString() }
    })

  /** The good rows of a preview as they would be applied now. */
  const previewed = async (
    id: string,
    { state, offset, limit }: { state: RollRowState | null; offset: number; limit: number },
  ) => {
    const { file } = decideToApply(await rollImportRows(knex).byId(id))
    const { rows } = planOfRoll(file, await rollImportRows(knex).children())
    const found = rows.filter((row) => state === null || row.state === state)
    return { data: await shownRows(knex, found.slice(offset, offset + limit)), total: found.length }
  }

  /** Who would leave by a preview as it would be applied now. */
  const leaving = async (id: string, { offset, limit }: { offset: number; limit: number }) => {
    const { file } = decideToApply(await rollImportRows(knex).byId(id))
    const found = planOfRoll(file, await rollImportRows(knex).children()).leaving.toSorted(byClassAndName)
    return { data: await shownChildren(knex, found.slice(offset, offset + limit)), total: found.length }
  }

  const withLunchesToCome = async (transaction: Knex.Transaction, children: readonly RollChild[]) => {
    const aliases = await rollImportRows(transaction).aliasesOf(children.map(({ id }) => id))
    const asked = [...children.map(({ id }) => id), ...aliases.keys()]
    const found = asked.length === 0 ? [] : await needs.ordering.withLunchesToCome(asked)
    const ids = new Set(found.map((id) => aliases.get(id) ?? id))
    return children.filter(({ id }) => ids.has(id))
  }

  return { preview, previewed, leaving, apply }
}

const planKey = (plan: RollPlan): string => createHash('sha256').update(planTold(plan)).digest('base64url')

const byClassAndName = (one: RollChild, other: RollChild): number =>
  (one.class ?? '').localeCompare(other.class ?? '', 'en', { numeric: true }) ||
  one.name.localeCompare(other.name, 'en')

/** Writes what a plan makes of the children; answers each as it was and as it is. */
const write = async (
  transaction: Knex.Transaction,
  { added, changed, leaving }: Pick<RollChanges, 'added' | 'changed' | 'leaving'>,
  at: Date,
): Promise<TouchedChild[]> => {
  const rows = rollImportRows(transaction)
  const before = new Map([...changed.map(({ child }) => child), ...leaving].map((child) => [child.id, child]))
  const made = await rows
    .insertChildren(added.map((values) => ({ ...nobody, ...values, onRollSince: at })))
    .catch(numberIsTaken)
  await rows
    .updateChildren([
      ...changed.map(({ child, values }) => ({
        ...child,
        ...values,
        onRollSince: child.onRollSince ?? at,
        leftAt: null,
      })),
      ...leaving.map((child) => ({ ...child, leftAt: at })),
    ])
    .catch(numberIsTaken)
  await claimCodeRows(transaction).removeOf(leaving.map(({ id }) => id))
  const ids = [...made, ...before.keys()]
  await giveToKnownFamilies(transaction, await rows.byIds(ids))
  return (await rows.byIds(ids)).map((after) => ({
    id: after.id,
    before: before.get(after.id) ?? null,
    after,
  }))
}

/** Children whose guardian has proven the address that the roll has belong to that account at once. */
const giveToKnownFamilies = async (transaction: Knex.Transaction, touched: readonly RollChild[]) => {
  const rows = rollImportRows(transaction)
  const waiting = touched.filter(({ userId, leftAt }) => userId === null && leftAt === null)
  const accounts = await rows.accountsOfAddresses(waiting.flatMap(({ guardianEmail }) => guardianEmail ?? []))
  const childrenOf = new Map<number, number[]>()
  for (const { id, guardianEmail } of waiting) {
    const userId = accounts.get(guardianEmail ?? '')
    if (userId !== undefined) childrenOf.set(userId, [...(childrenOf.get(userId) ?? []), id])
  }
  for (const [userId, ids] of childrenOf) await rows.giveTo(userId, ids)
}

const nobody = {
  userId: null,
  class: null,
  admissionNumber: null,
  guardianName: null,
  guardianEmail: null,
  guardianPhone: null,
  leftAt: null,
}

const decideToApply = (found: RollImport | undefined): RollImport => {
  if (!found) throw refuse('import_not_found', 'This list is not kept any more. Please upload it again.')
  if (found.appliedAt) throw refuse('roll_changed', 'This list was applied before')
  return found
}

export const named = ({ id, name, class: of }: RollChild) => ({ id, name, class: of })

const countsOf = ({ rows, leaving, size }: RollPlan) => {
  const count = (state: RollPlan['rows'][number]['state']) => rows.filter((row) => row.state === state).length
  return {
    new: count('new'),
    changed: count('changed'),
    same: count('same'),
    matched: count('matched'),
    leaving: leaving.length,
    roll: size,
  }
}
