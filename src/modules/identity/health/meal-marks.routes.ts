import { allergenNames } from '#contracts/allergens'
import { type AllergyRule, mealMarks } from '#contracts/health'
import { onlyRoles, route, type Route } from '#platform/http/route'
import type { KnownHealth } from './health.routes'

export const mealMarkRoutes = (needs: {
  orderableStudentsOf: (userId: number) => Promise<readonly { id: number }[]>
  healthOf: (studentIds: readonly number[]) => Promise<ReadonlyMap<number, KnownHealth>>
  allergyRule: () => Promise<AllergyRule>
}): Route[] => [
  route(mealMarks, onlyRoles('parent', 'teacher'), async ({ user }) => {
    const students = await needs.orderableStudentsOf(user.userId)
    const [rule, health] = await Promise.all([
      needs.allergyRule(),
      needs.healthOf(students.map(({ id }) => id)),
    ])
    const marked = students.map(({ id }) => {
      const { allergies = null, diet = 'none' } = health.get(id) ?? {}
      return { studentId: id, allergies: allergies && allergenNames(allergies), diet }
    })
    return { rule, students: marked }
  }),
]
