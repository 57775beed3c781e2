import type { ReplyOf } from '#contracts/endpoint'
import { familyData } from '#contracts/privacy'
import { readWithTimeout } from '#platform/database'
import { maxFamilyRows } from '#platform/family-data'
import { onlyRoles, route, type Principal, type Route } from '#platform/http/route'
import type { FindNeeds } from './family.commands'

const statementMs = 10_000

/** Few: it reads much, and whoever borrows a session guesses passwords with it. */
const limit = { name: 'family-data', points: 5, seconds: 3600, by: 'user' } as const

export const familyDataRoute = (needs: FindNeeds): Route =>
  route(
    familyData,
    onlyRoles('parent', 'teacher'),
    async ({ body, user }) => {
      await needs.identity.confirmPassword(user.userId, body.currentPassword)
      return dataOf(needs, user)
    },
    { limit },
  )

const dataOf = async (
  needs: FindNeeds,
  { userId, username }: Principal,
): Promise<ReplyOf<typeof familyData>> => {
  const { database, identity, payments, now, schoolName } = needs
  const [attemptIds, students] = await Promise.all([
    payments.attemptsOfUser(userId),
    identity.orderableStudentsOf(userId),
  ])
  const studentIds = students.map(({ id }) => id)
  const data: ReplyOf<typeof familyData>['data'] = {}
  const cut: string[] = []
  await readWithTimeout(database.pool, statementMs, async (at) => {
    for (const { name, read } of needs.familyParts()) {
      const rows = await read(at, { userId, studentIds, attemptIds })
      data[name] = rows.slice(0, maxFamilyRows)
      if (rows.length > maxFamilyRows) cut.push(name)
    }
  })
  return { madeAt: now().toISOString(), schoolName, username, cut, data }
}
