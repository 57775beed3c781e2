import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { mostLeftOut } from '#contracts/csv'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type {
  applyRoll as applyCall,
  previewLetters,
  previewRoll,
  RollMapping,
  RollRowState,
} from '#contracts/roll-import'
import { schoolMoment } from '#kernel/school-time'
import { recordAccountChange, numberIsTaken, rollChildRows, studentRecord } from '#modules/identity/index'
import type { RollChild } from '#modules/identity/published'
import type { BursarySet } from '#modules/ordering/index'
import type { CsvTable } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { keepMapping, readMappedFile } from '#platform/kept-mappings'
import { noteLastChange } from '#platform/versions'
import { claimCodeRows } from '../claims/claim-tries.commands'
import { codesForNew, lettersForNew } from '../claims/claim.commands'
import type { EnrolmentNeeds } from '../ports'
import { refuse } from '../refusals'
import { notJoinedBy } from '../roll/families.decide'
import { guessRoll, isRollHead } from '../roll/roll-columns.decide'
import { readRoll, type RollFile } from '../roll/roll-file.decide'
import {
  bursariesChanged,
  bursaryOf,
  changesOf,
  decideAsPreviewed,
  decideLeaving,
  planTold,
  type RollChanges,
  undoUntil,
  type TouchedChild,
} from '../roll/roll-import.decide'
import { rollImportRows, type RollImport } from '../roll/roll-imports.rows'
import { planOfRoll, type RollPlan } from '../roll/roll-plan.decide'
import { shownRows, shownChildren } from './import-preview.rows'

const maxRows = 5000
const maxShown = 200
const maxErrors = 1000
const maxNamed = 100

export const importCommands = (needs: EnrolmentNeeds) => {
  const { knex } = needs.database

  const preview = async (upload: RollUpload): Promise<ReplyOf<typeof previewRoll>> => {
    const { table, file } = await fileOf(knex, upload)
    const { leftOut = [] } = file
    const roll = await rollChildRows(knex).all()
    const plan = planOfRoll(file, roll)
    const bursaries = await needs.ordering.bursariesOf(
      knex,
      roll.map((child) => child.id),
    )
    const id = v7()
    await rollImportRows(knex).insert({ id, createdAt: needs.now(), file, plan: planKey(plan) })
    return {
      id,
      ...countsOf(plan),
      bursaries: bursariesChanged(plan.rows, bursaries),
      errors: file.errors.slice(0, maxErrors),
      rows: await shownRows(knex, plan.rows.slice(0, maxShown)),
      notRead: (file.notRead ?? []).slice(0, maxNamed),
      notJoined: notJoinedBy(plan, file, roll).slice(0, maxNamed),
      leftOut: leftOut.slice(0, mostLeftOut),
      leftOutCount: leftOut.length,
      notes: [...table.notes, ...(file.notes ?? [])],
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
      const plan = planOfRoll(file, await rollChildRows(transaction).lockAll())
      decideAsPreviewed(shown, planKey(plan))
      decideLeaving(plan, { remove, confirm })
      const changes = changesOf(plan, { remove, decisions })
      const at = needs.now()
      const kept = await withLunchesToCome(transaction, changes.leaving)
      const leaving = changes.leaving.filter((child) => !kept.includes(child))
      const { touched, made } = await write(transaction, { ...changes, leaving }, at)
      const bursaries = await setBursaries(needs, transaction, { changes, made }, at)
      await rows.markApplied(id, at, await withBursaries(transaction, touched, bursaries))
      const ofAccounts = touched.filter(({ after }) => after.leftAt === null && after.userId === null)
      const codes = await codesForNew(
        needs,
        transaction,
        ofAccounts.map((one) => one.after.id),
      )
      const counts = { added: changes.added.length, changed: changes.changed.length, left: leaving.length }
      const what = `Roll imported: ${counts.added} added, ${counts.changed} changed, ${counts.left} left${
        bursaries.length > 0 ? `, ${bursaries.length} bursaries` : ''
      }`
      await recordAccountChange(transaction, needs, by, what)
      const records = touched.map(({ id: child }) => studentRecord(child))
      await noteLastChange(transaction, { ...by, at }, records)
      const { leftOut } = changes
      return { ...counts, leftOut, kept: kept.map(named), codes, undoUntil: undoUntil(at).toISOString() }
    })

  const previewed = async (
    id: string,
    { state, offset, limit }: { state: RollRowState | null; offset: number; limit: number },
  ) => {
    const { file } = decideToApply(await rollImportRows(knex).byId(id))
    const { rows } = planOfRoll(file, await rollChildRows(knex).all())
    const found = rows.filter((row) => state === null || row.state === state)
    return { data: await shownRows(knex, found.slice(offset, offset + limit)), total: found.length }
  }

  const leaving = async (id: string, { offset, limit }: { offset: number; limit: number }) => {
    const { file } = decideToApply(await rollImportRows(knex).byId(id))
    const found = planOfRoll(file, await rollChildRows(knex).all()).leaving.toSorted(byClassAndName)
    return { data: await shownChildren(knex, found.slice(offset, offset + limit)), total: found.length }
  }

  const letters = async ({
    id,
    remove,
    decisions = {},
  }: { id: string } & BodyOf<typeof previewLetters>): Promise<ReplyOf<typeof previewLetters>> => {
    const { file } = decideToApply(await rollImportRows(knex).byId(id))
    const roll = await rollChildRows(knex).all()
    const changes = changesOf(planOfRoll(file, roll), { remove, decisions })
    const kept = await withLunchesToCome(knex, changes.leaving)
    const { children, ids } = rollAfter(roll, {
      ...changes,
      leaving: changes.leaving.filter((child) => !kept.includes(child)),
    })
    return lettersForNew(needs, children, ids)
  }

  const withLunchesToCome = async (transaction: Knex, children: readonly RollChild[]) => {
    const aliases = await rollChildRows(transaction).aliasesOf(children.map(({ id }) => id))
    const asked = [...children.map(({ id }) => id), ...aliases.keys()]
    const from = schoolMoment(needs.now(), needs.zone).date
    const filter = { studentIds: asked, state: 'pending', from } as const
    const found = asked.length === 0 ? [] : (await needs.ordering.totals(filter, 'student')).keys()
    const ids = new Set([...found].map((id) => aliases.get(id) ?? id))
    return children.filter(({ id }) => ids.has(id))
  }

  return { preview, previewed, leaving, letters, apply }
}

type RollUpload = { bytes: Buffer; mapping?: RollMapping | undefined }

const kind = 'register'

/** Keeps a mapping that was sent. Throws `mapping_needed`. */
const fileOf = async (
  knex: Knex,
  { bytes, mapping: sent }: RollUpload,
): Promise<{ table: CsvTable; file: RollFile }> => {
  const { table, read: file } = await readMappedFile(knex, {
    kind,
    bytes,
    sent,
    maxRows,
    isHead: isRollHead,
    read: readRoll,
    guess: guessRoll,
  })
  if (sent) await keepMapping(knex, { kind, heads: table.heads, mapping: sent })
  return { table, file }
}

const planKey = (plan: RollPlan): string => createHash('sha256').update(planTold(plan)).digest('base64url')

const byClassAndName = (one: RollChild, other: RollChild): number =>
  (one.class ?? '').localeCompare(other.class ?? '', 'en', { numeric: true }) ||
  one.name.localeCompare(other.name, 'en')

/** `ids`: added and changed children; those added have numbers below 0. */
const rollAfter = (
  roll: readonly RollChild[],
  { added, changed, leaving }: Pick<RollChanges, 'added' | 'changed' | 'leaving'>,
): { children: RollChild[]; ids: number[] } => {
  const gone = new Set(leaving.map(({ id }) => id))
  const values = new Map(changed.map((one) => [one.child.id, one.values]))
  const made = added.map((one, at) => ({ ...nobody, ...one, id: -1 - at, onRollSince: null }))
  const stay = roll
    .filter(({ id }) => !gone.has(id))
    .map((child) => (values.has(child.id) ? { ...child, ...values.get(child.id), leftAt: null } : child))
  return { children: [...stay, ...made], ids: [...values.keys(), ...made.map(({ id }) => id)] }
}

const write = async (
  transaction: Knex.Transaction,
  { added, changed, leaving }: Pick<RollChanges, 'added' | 'changed' | 'leaving'>,
  at: Date,
): Promise<{ touched: TouchedChild[]; made: number[] }> => {
  const rows = rollChildRows(transaction)
  const before = new Map([...changed.map(({ child }) => child), ...leaving].map((child) => [child.id, child]))
  // Numbers are released before others take them.
  await rows
    .update([
      ...changed.map(({ child, values }) => ({
        ...child,
        ...values,
        onRollSince: child.onRollSince ?? at,
        leftAt: null,
      })),
      ...leaving.map((child) => ({ ...child, leftAt: at })),
    ])
    .catch(numberIsTaken)
  const made = await rows
    .insert(added.map((values) => ({ ...nobody, ...values, onRollSince: at })))
    .catch(numberIsTaken)
  await claimCodeRows(transaction).removeOf(leaving.map(({ id }) => id))
  const ids = [...made, ...before.keys()]
  const touched = (await rows.byIds(ids)).map((after) => ({
    id: after.id,
    before: before.get(after.id) ?? null,
    after,
  }))
  return { touched, made: made.toSorted((one, other) => one - other) }
}

/** `made`: the ids of the added children, in their order. */
const setBursaries = async (
  { ordering }: EnrolmentNeeds,
  transaction: Knex.Transaction,
  { changes, made }: { changes: RollChanges; made: readonly number[] },
  at: Date,
): Promise<BursarySet[]> => {
  const rows = changes.bursaries.map(({ line, child, added }) => ({ line, id: child ?? made[added]! }))
  const now = await ordering.bursariesOf(
    transaction,
    rows.map(({ id }) => id),
  )
  const wanted = rows.flatMap(({ line, id }) => {
    const bursary = bursaryOf(line, now.get(id))
    return bursary ? [{ studentId: id, ...bursary }] : []
  })
  return ordering.setBursaries(transaction, wanted, at)
}

const withBursaries = async (
  transaction: Knex.Transaction,
  touched: readonly TouchedChild[],
  bursaries: readonly BursarySet[],
): Promise<TouchedChild[]> => {
  const known = new Set(touched.map(({ id }) => id))
  const others = bursaries.flatMap(({ studentId }) => (known.has(studentId) ? [] : [studentId]))
  const children = others.length === 0 ? [] : await rollChildRows(transaction).byIds(others)
  const setOf = new Map(bursaries.map((one) => [one.studentId, one]))
  return [...touched, ...children.map((child) => ({ id: child.id, before: child, after: child }))].map(
    (one) => (setOf.has(one.id) ? { ...one, bursary: setOf.get(one.id)! } : one),
  )
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
  if (!found) throw refuse('import_not_found', 'This list is no longer stored. Please upload it again.')
  if (found.appliedAt) throw refuse('roll_changed', 'This list has already been applied')
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
