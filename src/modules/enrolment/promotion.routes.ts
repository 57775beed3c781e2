import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { applyPromotion, lastPromotion, previewPromotion, undoPromotion } from '#contracts/enrolment'
import { recordAccountChange, rollChildRows, studentRecord, studentRows } from '#modules/identity/index'
import type { By } from '#platform/event-store/command-handler'
import { route, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { noteLastChange } from '#platform/versions'
import { ordersOffMenu } from './orders-off-menu'
import type { EnrolmentNeeds } from './ports'
import {
  decideApplying,
  decideKnown,
  decideUnchanged,
  decideUndoing,
  isAsPromoted,
  planPromotion,
  undoUntil,
  type PromotionStep,
  type Promotion,
} from './promotion.decide'

const keepers = withFeature('parents_students')

export const promotionRoutes = (commands: ReturnType<typeof promotionCommands>) => [
  route(lastPromotion, keepers, () => commands.lastPromotion()),

  route(previewPromotion, keepers, ({ body }) => commands.previewPromotion(body)),

  route(applyPromotion, keepers, ({ params, by }) => commands.applyPromotion(params.id, by)),

  route(undoPromotion, keepers, ({ params, by }) => commands.undoPromotion(params.id, by)),
]

type YearMove = ReplyOf<typeof applyPromotion>
type Last = ReplyOf<typeof lastPromotion>
type Undone = ReplyOf<typeof undoPromotion>

const maxAffected = 500

/** Future lunches stay; those that no longer fit are listed before and after. */
export const promotionCommands = (needs: EnrolmentNeeds) => {
  const { knex } = needs.database

  /** `gradeOf` gives the new grade; null: has left. */
  const affectedBy = async <Step extends PromotionStep>(
    steps: readonly Step[],
    gradeOf: (step: Step) => string | null,
  ) => {
    const found = []
    for (const grade of new Set(steps.map(gradeOf))) {
      const group = steps.filter((step) => gradeOf(step) === grade)
      const ids = await studentRows(knex).allIdsOf(group.map(({ studentId }) => studentId))
      found.push(...(await ordersOffMenu(needs, ids, grade)))
    }
    const nextFirst = found
      .toSorted(
        (one, other) => one.date.localeCompare(other.date) || one.orderId.localeCompare(other.orderId),
      )
      .slice(0, maxAffected)
    const names = await needs.identity.studentNamesOf(nextFirst.map(({ studentId }) => studentId))
    return nextFirst.map(({ studentId, ...order }) => ({ ...order, student: names.get(studentId) ?? '' }))
  }

  const moveOf = async (id: string, steps: readonly PromotionStep[]): Promise<YearMove> => {
    const leaving = steps.filter(({ leaves }) => leaves).length
    const affectedOrders = await affectedBy(steps, (step) => (step.leaves ? null : step.gradeAfter))
    return { id, students: steps.length - leaving, leaving, affectedOrders }
  }

  const undoneOf = async (steps: readonly StoredStep[]): Promise<Undone> => {
    const [restored, kept] = [steps.filter((step) => step.restored), steps.filter((step) => !step.restored)]
    const names = await needs.identity.studentNamesOf(kept.map(({ studentId }) => studentId))
    return {
      students: restored.length,
      kept: kept.map(({ studentId }) => ({ id: studentId, student: names.get(studentId) ?? '' })),
      affectedOrders: await affectedBy(restored, ({ gradeBefore }) => gradeBefore),
    }
  }

  const record = (transaction: Knex.Transaction, by: By, what: string) =>
    recordAccountChange(transaction, needs, by, what)

  const noteChildren = (transaction: Knex.Transaction, by: By, ids: readonly number[]) =>
    noteLastChange(transaction, { ...by, at: needs.now() }, ids.map(studentRecord))

  return {
    previewPromotion: async ({ rename }: BodyOf<typeof previewPromotion>): Promise<YearMove> => {
      const promotion = { id: v7(), rename, previewedAt: needs.now(), appliedAt: null, undoneAt: null }
      const steps = await knex.transaction(async (transaction) => {
        const rows = promotionRows(transaction)
        const planned = planPromotion(await rollChildRows(transaction).atSchool(), { rename })
        await rows.insert(promotion, planned)
        return planned
      })
      return moveOf(promotion.id, steps)
    },

    /** Throws `promotion_not_found`, `promotion_undone`, `roll_changed`. */
    applyPromotion: async (id: string, by: By): Promise<YearMove> => {
      const steps = await knex.transaction(async (transaction) => {
        const rows = promotionRows(transaction)
        const promotion = decideKnown(await rows.lock(id))
        const previewed = await rows.stepsOf(id)
        if (!decideApplying(promotion)) return previewed
        const children = rollChildRows(transaction)
        decideUnchanged(previewed, planPromotion(await children.lockAtSchool(), promotion))
        const at = needs.now()
        await rows.markApplied(id, at)
        await children.setPlaces(previewed.map((step) => placeAfter(step, at)))
        const leaving = previewed.filter(({ leaves }) => leaves).length
        const what = `Year move: ${previewed.length - leaving} children one grade up, ${leaving} left`
        await record(transaction, by, what)
        await noteChildren(
          transaction,
          by,
          previewed.map(({ studentId }) => studentId),
        )
        return previewed
      })
      return moveOf(id, steps)
    },

    lastPromotion: async (): Promise<Last> => {
      const rows = promotionRows(knex)
      const last = await rows.lastApplied()
      if (!last?.appliedAt || needs.now() > undoUntil(last.appliedAt)) return { promotion: null }
      const { id, appliedAt } = last
      const steps = await rows.stepsOf(id)
      const leaving = steps.filter(({ leaves }) => leaves).length
      const until = { appliedAt: appliedAt.toISOString(), undoUntil: undoUntil(appliedAt).toISOString() }
      return { promotion: { id, ...until, students: steps.length - leaving, leaving } }
    },

    /** Throws `promotion_not_found`, `promotion_not_applied`, `promotion_not_last`, `undo_too_late`. */
    undoPromotion: async (id: string, by: By): Promise<Undone> => {
      const steps = await knex.transaction(async (transaction) => {
        const rows = promotionRows(transaction)
        const promotion = decideKnown(await rows.lock(id))
        const isLast = !(await rows.wasFollowed(promotion))
        if (!decideUndoing(promotion, { now: needs.now(), isLast })) return rows.stepsOf(id)
        const steps = await rows.stepsOf(id)
        const children = rollChildRows(transaction)
        const locked = await children.lockByIds(steps.map(({ studentId }) => studentId))
        const byId = new Map(locked.map((child) => [child.id, child]))
        const unchanged = steps.filter((step) => {
          const child = byId.get(step.studentId)
          return child !== undefined && isAsPromoted(step, child, promotion)
        })
        const restored = unchanged.map(({ studentId }) => studentId)
        await rows.markUndone(id, restored, needs.now())
        await children.setPlaces(unchanged.map(placeBefore))
        await noteChildren(transaction, by, restored)
        await record(transaction, by, `Promotion undone for ${restored.length} children`)
        return rows.stepsOf(id)
      })
      return undoneOf(steps)
    },
  }
}

type StoredStep = PromotionStep & { restored: boolean | null }

type StepRow = StoredStep & { promotionId: string }

const stepColumns = [
  'studentId',
  'gradeBefore',
  'gradeAfter',
  'classBefore',
  'classAfter',
  'leaves',
  'restored',
] as const

const promotionRows = (knex: Knex) => {
  const promotions = () => knex<Promotion>('enrolment.promotions')
  const steps = () => knex<StepRow>('enrolment.promoted_students')

  return {
    insert: async (promotion: Promotion, planned: readonly PromotionStep[]): Promise<void> => {
      await promotions().insert(promotion)
      const rows = planned.map((step) => ({ ...step, promotionId: promotion.id }))
      await knex.batchInsert('enrolment.promoted_students', rows, 1000)
    },

    lock: (id: string): Promise<Promotion | undefined> => promotions().where({ id }).forUpdate().first(),

    stepsOf: (promotionId: string): Promise<StoredStep[]> =>
      steps()
        .select(...stepColumns)
        .where({ promotionId })
        .orderBy('studentId'),

    lastApplied: (): Promise<Promotion | undefined> =>
      promotions()
        .whereNotNull('appliedAt')
        .where({ undoneAt: null })
        .orderBy([
          { column: 'appliedAt', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .first(),

    wasFollowed: async ({ id, appliedAt }: Promotion): Promise<boolean> =>
      (await promotions()
        .whereRaw('("appliedAt", id) > (?::timestamptz, ?::uuid)', [appliedAt, id])
        .where({ undoneAt: null })
        .first('id')) !== undefined,

    markApplied: async (id: string, appliedAt: Date): Promise<void> => {
      await promotions().where({ id }).update({ appliedAt })
    },

    markUndone: async (id: string, restored: readonly number[], undoneAt: Date): Promise<void> => {
      await promotions().where({ id }).update({ undoneAt })
      await knex.raw(
        `update enrolment.promoted_students set restored = "studentId" = any(?::int[]) where "promotionId" = ?`,
        [[...restored], id],
      )
    },
  }
}

const placeAfter = ({ studentId: id, gradeAfter, classAfter, leaves }: PromotionStep, at: Date) => ({
  id,
  grade: gradeAfter,
  class: classAfter,
  leftAt: leaves ? at : null,
})

const placeBefore = ({ studentId: id, gradeBefore, classBefore }: PromotionStep) => ({
  id,
  grade: gradeBefore,
  class: classBefore,
  leftAt: null,
})

const promotionsKeptDays = 30

export const promotionRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'enrolment.promotions',
  about: 'Moves of children into the next school year',
  kept: `${promotionsKeptDays} days after it was previewed or applied`,
  remove: deleteUntil(
    pool,
    'enrolment.promotions',
    'coalesce("appliedAt", "previewedAt") < $1',
    () => new Date(now().getTime() - promotionsKeptDays * dayMs),
  ),
})
