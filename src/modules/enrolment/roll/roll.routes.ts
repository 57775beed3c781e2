import type { Knex } from 'knex'
import type { Pool } from 'pg'
import type { BodyOf, Direction } from '#contracts/endpoint'
import {
  mergeStudent,
  moveStudent,
  roll,
  type moveStudent as move,
  type RollEntry,
  type RollSort,
} from '#contracts/enrolment'
import type { updateStudent } from '#contracts/identity'
import { classNamed } from '#contracts/names'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import {
  asHeldStudent,
  recordAccountChange,
  userRows,
  guardianRows,
  namesOfClasses,
  spellingsOfClass,
  studentRows,
  studentRecord,
  studentShown,
  type StudentRow,
} from '#modules/identity/index'
import { decideNameByOffice, staffGrade, type Student } from '#modules/identity/published'
import { accountNamed } from '#platform/changes'
import type { Database } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { route, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { refuseChangedRecord, versionOf } from '#platform/versions'
import { tellRollAddresses } from '../claims/claim.commands'
import type { EnrolmentNeeds } from '../ports'
import { refuse } from '../refusals'
import { studentNamed, type mergeCommands } from './merge-children.commands'
import { decideChild, decideNothingInPayment, withoutRollGuardian } from './roll-import.decide'
import { rollImportRows } from './roll-imports.rows'

const pageSize = 50
const keepers = withFeature('parents_students')

type RollCommands = ReturnType<typeof rollCommands> & ReturnType<typeof mergeCommands>

export const rollRoutes = (commands: RollCommands, { pool }: Pick<Database, 'pool'>) => [
  route(roll, keepers, async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { text = '', class: inClass = null, claimed = null, left = null, limit = pageSize } = query
    const { sort = 'name', direction = 'asc' } = query
    const place = { sort, direction, offset: (page - 1) * limit, limit }
    const [{ data, total }, classes] = await Promise.all([
      rollPage(pool, { text, class: inClass, claimed, left }, place),
      classesOfRoll(pool),
    ])
    return { data, metadata: pageMetadataOf(total, page, limit), classes }
  }),

  route(moveStudent, keepers, async ({ params, body, by }) =>
    asHeldStudent(await commands.moveStudent({ ...params, ...body }, by)),
  ),

  route(mergeStudent, keepers, async ({ params, body, by }) =>
    asHeldStudent(await commands.mergeStudent({ ...params, ...body }, by)),
  ),
]

export const rollCommands = (needs: EnrolmentNeeds) => {
  const { knex } = needs.database

  /** Absent keeps, '' clears. Throws `admission_number_taken`. */
  const editStudent = async (
    { id, name, grade, version, ...onRoll }: { id: number } & BodyOf<typeof updateStudent>,
    by: By,
  ): Promise<{ before: Student; after: Student }> => {
    decideNameByOffice(name)
    return knex.transaction(async (transaction) => {
      const rows = studentRows(transaction)
      const before = decideChild(await rows.lock(id))
      const wanted = {
        name,
        grade,
        class: onRoll.class === undefined ? before.class : classNamed(onRoll.class ?? '') || null,
        admissionNumber:
          onRoll.admissionNumber === undefined ? before.admissionNumber : onRoll.admissionNumber || null,
      }
      await refuseChangedChild(transaction, before, version, wanted)
      const after = await rows.update(id, wanted)
      await recordEdit(transaction, before, after, by)
      return { before, after }
    })
  }

  const recordEdit = async (transaction: Knex.Transaction, before: Student, after: Student, by: By) => {
    const words = {
      name: 'Name',
      grade: 'Grade',
      class: 'Class',
      admissionNumber: 'Admission number',
    } as const
    for (const key of ['name', 'grade', 'class', 'admissionNumber'] as const) {
      if (before[key] === after[key]) continue
      const isPersonal = key === 'name' || key === 'admissionNumber'
      const values = isPersonal
        ? { old: null, new: null }
        : { old: { [key]: before[key] }, new: { [key]: after[key] } }
      await recordAccountChange(transaction, needs, by, `${words[key]} of ${studentNamed(after)} set`, {
        ...values,
        record: studentRecord(after.id),
      })
    }
  }

  /** Also for unclaimed children. The new guardian sees and cancels its lunches; payers keep the money's side. */
  const moveStudent = async (input: { id: number } & BodyOf<typeof move>, by: By) => {
    const ids = await studentRows(knex).idsOf(input.id)
    decideNothingInPayment(await needs.payments.mealsInPayment(ids))
    return knex.transaction(async (transaction) => {
      const rows = studentRows(transaction)
      const account = await userRows(transaction).lock(input.parentId)
      if (account?.role !== 'parent' || account.deletedAt)
        throw refuse('parent_not_found', 'Parent not found')
      const before = decideChild(await rows.lock(input.id))
      if (before.userId === account.id) return before
      if (before.userId === null) {
        const children = await rollImportRows(transaction).byIds([before.id])
        await tellRollAddresses(needs, transaction, { children, account })
      }
      const after = await giveTo(transaction, before, account.id)
      const from = before.userId === null ? 'the roll' : accountNamed(before.userId)
      const what = `Student ${before.id} moved from ${from} to ${accountNamed(account.id)}`
      await recordAccountChange(transaction, needs, by, what)
      return after
    })
  }

  return { editStudent, moveStudent }
}

export const refuseChangedChild = (
  transaction: Knex.Transaction,
  child: Student,
  version: string | undefined,
  yours: Partial<Student>,
): Promise<void> =>
  refuseChangedRecord<Student, ReturnType<typeof studentShown>>(transaction, {
    record: studentRecord(child.id),
    version,
    before: child,
    change: yours,
    shown: studentShown,
  })

/** With aliases; a second guardian becomes the first. */
const giveTo = async (
  transaction: Knex.Transaction,
  { id }: Pick<StudentRow, 'id'>,
  userId: number,
): Promise<Student> => {
  const rows = studentRows(transaction)
  await guardianRows(transaction).remove(id, userId)
  await rows.updateAliases(id, { userId })
  return rows.update(id, { userId, ...withoutRollGuardian })
}

type RollFilters = { text: string; class: string | null; claimed: boolean | null; left: boolean | null }
type RollPage = { sort: RollSort; direction: Direction; offset: number; limit: number }

const orders: Record<RollSort, readonly string[]> = {
  name: ['lower(s.name)'],
  class: [
    `array_position(array['ELC','K','1','2','3','4','5','6','7','8','9','10','11','12'], s.grade)`,
    's.class',
    'lower(s.name)',
  ],
  number: ['s."admissionNumber"', 'lower(s.name)'],
}

const children = `from identity.students s left join identity.users u on u.id = s."userId"
  where s."mergedInto" is null and s.grade <> '${staffGrade}'`

const foundIn = `concat_ws('|', s.name, s."admissionNumber", s."guardianName", u.name, u.username)`

const rollPage = async (
  pool: Pool,
  { text, class: inClass, claimed, left }: RollFilters,
  { sort, direction, offset, limit }: RollPage,
): Promise<{ data: RollEntry[]; total: number }> => {
  const found = `${children}
    and ($1 = '' or strpos(${foldedSql(foundIn)}, $1) > 0)
    and ($2::text[] is null or coalesce(s.class, '') = any($2))
    and ($3::boolean is null or (s."userId" is not null) = $3)
    and ($4::boolean is null or (s."leftAt" is not null) = $4)`
  const order = [...orders[sort], 's.id'].map((key) => `${key} ${direction}`).join(', ')
  const spellings = inClass && (await spellingsOfClass(pool, inClass))
  const asked = [foldedSearch(text), spellings === '' ? [''] : spellings, claimed, left]
  const [page, counted] = await Promise.all([
    pool.query<Omit<RollEntry, 'leftAt' | 'version'> & { leftAt: Date | null }>(
      `select s.id, s.name, s.grade, s.class, s."admissionNumber", s."onRollSince" is not null as "onRoll", s."leftAt",
         case when u.id is null then null
           else json_build_object('id', u.id, 'username', u.username, 'name', u.name) end as parent,
         case when coalesce(s."guardianName", s."guardianEmail", s."guardianPhone") is null then null
           else json_build_object('name', s."guardianName", 'email', s."guardianEmail", 'phone', s."guardianPhone")
         end as guardian
       ${found} order by ${order} offset $5 limit $6`,
      [...asked, offset, limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total ${found}`, asked),
  ])
  const data = page.rows.map((row) => ({
    ...row,
    class: row.class && classNamed(row.class),
    leftAt: row.leftAt?.toISOString() ?? null,
    version: versionOf(studentRecord(row.id), studentShown(row)),
  }))
  return { data, total: counted.rows[0]?.total ?? 0 }
}

const classesOfRoll = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ class: string }>(
    `select distinct s.class ${children} and s.class is not null limit 500`,
  )
  return namesOfClasses(rows.map((row) => row.class))
}

/** Longer than undoing an import can bring a child back. */
const leftKeptDays = 30

export const unclaimedRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.students.unclaimed',
  about: 'Children of the school’s list without an account',
  kept: `until an account has the child, or ${leftKeptDays} days after it has left`,
  remove: deleteUntil(
    pool,
    'identity.students',
    '"userId" is null and "mergedInto" is null and "leftAt" < $1',
    () => new Date(now().getTime() - leftKeptDays * dayMs),
  ),
})
