import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import type { mergeStudent as merge } from '#contracts/enrolment'
import type { By } from '#platform/event-store/command-handler'
import {
  recordAccountChange,
  joinHealth,
  guardianRows,
  studentRows,
  type StudentRow,
} from '#modules/identity/index'
import type { EnrolmentNeeds } from './needs'
import type { Student } from '#modules/identity/published'
import {
  decideChild,
  decideNoSameDate,
  decideNothingInPayment,
  decideTwins,
  joined,
} from './roll/roll-import.decide'
import { studentNamed, withoutRollGuardian } from './roll/roll.commands'
type Twins = { id: number } & BodyOf<typeof merge>

/**
 * Merges duplicates (docs/decisions/0031). Orders keep the old number as an alias; conflicts are checked again once nobody can order under
 * it.
 */
export const mergeCommands = (needs: EnrolmentNeeds) => {
  const { knex } = needs.database

  const decideMergeable = async ({ id, intoId }: Twins): Promise<void> => {
    const rows = studentRows(knex)
    const [own, all] = await Promise.all([rows.idsOf(id), rows.idsOf(intoId)])
    const others = all.filter((one) => !own.includes(one))
    decideNothingInPayment(await needs.payments.mealsInPayment([...own, ...others]))
    decideNoSameDate(await needs.ordering.sameDates(own, others))
  }

  const mergeStudent = async (twins: Twins, by: By): Promise<Student> => {
    const { id, intoId } = twins
    decideTwins(id, intoId)
    const rows = studentRows(knex)
    const into = decideChild(await rows.byId(intoId))
    const from = await rows.rowOf(id)
    // Repeated, or resumed after a crash.
    const isBegun = from?.mergedInto === intoId
    if (!isBegun) decideChild(await rows.byId(id))
    await decideMergeable(twins)
    await rows.markMerged(id, intoId)
    try {
      await decideMergeable(twins)
    } catch (error) {
      if (!isBegun) await rows.markMerged(id, null)
      throw error
    }
    return knex.transaction((transaction) => join(transaction, { id, intoId: into.id }, by))
  }

  const join = async (transaction: Knex.Transaction, { id, intoId }: Twins, by: By): Promise<Student> => {
    const rows = studentRows(transaction)
    const [into, from] = await rows.lockRows(intoId, id)
    const isDone = from.admissionNumber === null && from.class === null && from.userId === into.userId
    const what = `${capitalised(studentNamed(from))} merged into ${studentNamed(into)}`
    const kept = joined<StudentRow>(into, from, keptOfBoth)
    const userId = into.userId ?? from.userId
    const unclaimed = userId === null ? joined<StudentRow>(into, from, ofTheRoll) : withoutRollGuardian
    await rows.update(id, { admissionNumber: null, class: null, userId, ...withoutRollGuardian })
    await rows.updateAliases(id, { userId, mergedInto: intoId })
    await guardianRows(transaction).moveTo(id, intoId, userId)
    await joinHealth(transaction, { id, intoId })
    const after = await rows.update(intoId, { ...kept, userId, ...unclaimed })
    if (!isDone) await recordAccountChange(transaction, needs, by, what)
    return after
  }

  return { mergeStudent }
}

const keptOfBoth = ['class', 'admissionNumber', 'onRollSince'] as const
const ofTheRoll = ['guardianName', 'guardianEmail', 'guardianPhone'] as const

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
