import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

/** While an import can be undone; unused previews help nobody. */
const importsKeptDays = 7

/** Longer than undoing an import can bring a child back. */
const leftKeptDays = 30

const promotionsKeptDays = 30

export const enrolmentRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const before = (days: number) => () => new Date(now().getTime() - days * dayMs)
  return [
    {
      name: 'identity.roll_imports',
      kept: `${importsKeptDays} days after it was applied, 1 day while it is not`,
      remove: deleteUntil(
        pool,
        'identity.roll_imports',
        `coalesce("appliedAt", "createdAt" - interval '${importsKeptDays - 1} days') < $1`,
        before(importsKeptDays),
      ),
    },
    {
      name: 'identity.claim_codes',
      kept: 'until it is used or replaced, 90 days at most',
      remove: deleteUntil(pool, 'identity.claim_codes', '"expiresAt" <= $1', now),
    },
    {
      name: 'identity.students.unclaimed',
      kept: `until an account has the child, or ${leftKeptDays} days after it has left`,
      remove: deleteUntil(
        pool,
        'identity.students',
        '"userId" is null and "mergedInto" is null and "leftAt" < $1',
        before(leftKeptDays),
      ),
    },
    {
      name: 'identity.promotions',
      kept: `${promotionsKeptDays} days after it was previewed or applied`,
      remove: deleteUntil(
        pool,
        'identity.promotions',
        'coalesce("appliedAt", "previewedAt") < $1',
        before(promotionsKeptDays),
      ),
    },
  ]
}
