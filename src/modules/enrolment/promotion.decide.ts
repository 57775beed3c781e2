import { gradeNames } from '#contracts/identity'
import { classNamed } from '#contracts/names'
import type { Student } from '#modules/identity/published'
import { refuse } from './refusals'

export type ChildNow = Pick<Student, 'id' | 'grade' | 'class'> & { leftAt: Date | null }

export type PromotionStep = {
  studentId: number
  gradeBefore: string
  gradeAfter: string
  classBefore: string | null
  classAfter: string | null
  leaves: boolean
}

export type Promotion = {
  id: string
  rename: boolean
  previewedAt: Date
  appliedAt: Date | null
  undoneAt: Date | null
}

const undoMs = 7 * 24 * 3_600_000
const maxClassLength = 20

/** "3B" of grade 3 becomes "4B"; other patterns and overlong names stay. */
export const renamedClass = (name: string | null, gradeBefore: string, gradeAfter: string): string | null => {
  const number = /^\d+/.exec(name ?? '')?.[0]
  if (name === null || number !== gradeBefore) return name
  const renamed = gradeAfter + name.slice(number.length)
  return renamed.length > maxClassLength ? name : renamed
}

export const planPromotion = (
  children: readonly Pick<ChildNow, 'id' | 'grade' | 'class'>[],
  { rename }: { rename: boolean },
): PromotionStep[] =>
  children.map((child) => {
    const gradeAfter = gradeNames[gradeNames.findIndex((name) => name === child.grade) + 1]
    const leaves = gradeAfter === undefined
    return {
      studentId: child.id,
      gradeBefore: child.grade,
      gradeAfter: gradeAfter ?? child.grade,
      classBefore: child.class,
      classAfter:
        rename && !leaves
          ? renamedClass(child.class && classNamed(child.class), child.grade, gradeAfter)
          : child.class,
      leaves,
    }
  })

export const decideKnown = (promotion: Promotion | undefined): Promotion => {
  if (!promotion) throw refuse('promotion_not_found', 'This year move no longer exists. Preview it again')
  return promotion
}

export const decideApplying = ({ appliedAt, undoneAt }: Promotion): boolean => {
  if (undoneAt) throw refuse('promotion_undone', 'This year move was undone. Preview it again')
  return appliedAt === null
}

/** Throws when the preview is outdated. */
export const decideUnchanged = (previewed: readonly PromotionStep[], now: readonly PromotionStep[]): void => {
  const steps = new Map(previewed.map((step) => [step.studentId, step]))
  const same =
    steps.size === now.length &&
    now.every(({ studentId, gradeBefore, classBefore }) => {
      const step = steps.get(studentId)
      return step !== undefined && step.gradeBefore === gradeBefore && step.classBefore === classBefore
    })
  if (!same) throw refuse('roll_changed', 'The roll has changed since the preview. Please preview it again.')
}

export const undoUntil = (appliedAt: Date): Date => new Date(appliedAt.getTime() + undoMs)

/** Only the last one, within a week; false if already undone. */
export const decideUndoing = (
  { appliedAt, undoneAt }: Promotion,
  { now, isLast }: { now: Date; isLast: boolean },
): boolean => {
  if (!appliedAt) throw refuse('promotion_not_applied', 'This year move was not applied')
  if (undoneAt) return false
  if (!isLast) throw refuse('promotion_not_last', 'There has been another year move since')
  if (now > undoUntil(appliedAt)) throw refuse('undo_too_late', 'A year move can be undone for 7 days')
  return true
}

/** Unchanged since, so that undoing overrides nobody. */
export const isAsPromoted = (step: PromotionStep, child: ChildNow, { appliedAt }: Promotion): boolean =>
  child.grade === step.gradeAfter &&
  child.class === step.classAfter &&
  (child.leftAt?.getTime() ?? null) === (step.leaves ? (appliedAt?.getTime() ?? null) : null)
