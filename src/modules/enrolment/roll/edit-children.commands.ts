import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import type { moveStudent as move } from '#contracts/enrolment'
import type { updateStudent } from '#contracts/identity'
import { classNamed } from '#contracts/names'
import {
  recordAccountChange,
  rollChildRows,
  userRows,
  guardianRows,
  studentRows,
  studentRecord,
  studentShown,
  type StudentRow,
} from '#modules/identity/index'
import { decideNameByOffice, type Student } from '#modules/identity/published'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { refuseChangedRecord } from '#platform/versions'
import type { EnrolmentNeeds } from '../ports'
import { refuse } from '../refusals'
import { studentNamed } from './merge-children.commands'
import { decideChild, decideNothingInPayment, withoutRollGuardian } from './roll-import.decide'
import { tellRollAddresses } from './tell-roll-addresses.commands'

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
        const children = await rollChildRows(transaction).byIds([before.id])
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
