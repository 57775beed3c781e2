import type { Knex } from 'knex'
import { staffGrade } from '../students/student.decide'
import type { StudentRow } from '../students/students.rows'
import type { ChildNow, Promotion, PromotionStep } from './promotion.decide'

/** A step of a stored year move; `restored` says whether its undoing gave the child back its grade, null before. */
export type StoredStep = PromotionStep & { restored: boolean | null }

type StepRow = StoredStep & { promotionId: string }

const childColumns = ['id', 'grade', 'class', 'leftAt'] as const
const stepColumns = [
  'studentId',
  'gradeBefore',
  'gradeAfter',
  'classBefore',
  'classAfter',
  'leaves',
  'restored',
] as const

/** Year moves and what they do with the rows of `identity.students`. */
export const promotionRows = (knex: Knex) => {
  const promotions = () => knex<Promotion>('identity.promotions')
  const steps = () => knex<StepRow>('identity.promoted_students')
  const students = () => knex<StudentRow>('identity.students')

  return {
    insert: async (promotion: Promotion, planned: readonly PromotionStep[]): Promise<void> => {
      await promotions().insert(promotion)
      const rows = planned.map((step) => ({ ...step, promotionId: promotion.id }))
      await knex.batchInsert('identity.promoted_students', rows, 1000)
    },

    lock: (id: string): Promise<Promotion | undefined> => promotions().where({ id }).forUpdate().first(),

    stepsOf: (promotionId: string): Promise<StoredStep[]> =>
      steps()
        .select(...stepColumns)
        .where({ promotionId })
        .orderBy('studentId'),

    /** The last year move that was applied and not undone. */
    lastApplied: (): Promise<Promotion | undefined> =>
      promotions()
        .whereNotNull('appliedAt')
        .where({ undoneAt: null })
        .orderBy([
          { column: 'appliedAt', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .first(),

    /** Whether another year move was applied after this one and stands. */
    wasFollowed: async ({ id, appliedAt }: Promotion): Promise<boolean> =>
      (await promotions()
        .whereRaw('("appliedAt", id) > (?::timestamptz, ?::uuid)', [appliedAt, id])
        .where({ undoneAt: null })
        .first('id')) !== undefined,

    /** Every child that is at the school, with an account or without; staff entries are none. */
    childrenAtSchool: (): Promise<ChildNow[]> =>
      students()
        .select(...childColumns)
        .where({ mergedInto: null, leftAt: null })
        .whereNot('grade', staffGrade)
        .orderBy('id'),

    /** The same, which nobody changes until the transaction ends. */
    lockChildrenAtSchool: (): Promise<ChildNow[]> =>
      students()
        .select(...childColumns)
        .where({ mergedInto: null, leftAt: null })
        .whereNot('grade', staffGrade)
        .orderBy('id')
        .forUpdate(),

    /** Those of a year move's children that are still there; nobody changes them until the transaction ends. */
    lockPromoted: (promotionId: string): Promise<ChildNow[]> =>
      students()
        .select(...childColumns)
        .where({ mergedInto: null })
        .whereIn('id', steps().where({ promotionId }).select('studentId'))
        .orderBy('id')
        .forUpdate(),

    apply: async (id: string, appliedAt: Date): Promise<void> => {
      await promotions().where({ id }).update({ appliedAt })
      await knex.raw(
        `update identity.students student
         set grade = step."gradeAfter", class = step."classAfter",
           "leftAt" = case when step.leaves then ?::timestamptz end
         from identity.promoted_students step where step."promotionId" = ? and step."studentId" = student.id`,
        [appliedAt, id],
      )
    },

    /** Gives these children their grade and class back; the year move's others are marked as kept. */
    undo: async (id: string, studentIds: readonly number[], undoneAt: Date): Promise<void> => {
      await promotions().where({ id }).update({ undoneAt })
      await knex.raw(
        `update identity.students student
         set grade = step."gradeBefore", class = step."classBefore", "leftAt" = null
         from identity.promoted_students step
         where step."promotionId" = ? and step."studentId" = student.id and student.id = any(?::int[])`,
        [id, [...studentIds]],
      )
      await knex.raw(
        `update identity.promoted_students set restored = "studentId" = any(?::int[]) where "promotionId" = ?`,
        [[...studentIds], id],
      )
    },
  }
}
