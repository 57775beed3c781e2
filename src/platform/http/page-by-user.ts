import type { Direction } from '#contracts/endpoint'

/** How many rows of a list a user has. */
export type UserCount = { userId: number; count: number }

/** The users in the order of their names, without regard to case; equal ones and those who are gone by their ids. */
export const inOrderOfNames = <User extends { userId: number }>(
  users: readonly User[],
  names: ReadonlyMap<number, string>,
  direction: Direction,
): User[] => {
  const named = users.map((user) => ({ user, name: names.get(user.userId)?.toLowerCase() ?? '' }))
  const sorted = named.toSorted((one, other) => {
    if (one.name !== other.name) return one.name < other.name ? -1 : 1
    return one.user.userId - other.user.userId
  })
  return (direction === 'asc' ? sorted : sorted.toReversed()).map(({ user }) => user)
}

/** Whose rows are on a page of the list that has the rows of one user after the other, and how many come before theirs. */
export const membersOnPage = (
  counts: readonly UserCount[],
  { offset, limit }: { offset: number; limit: number },
): { userIds: number[]; before: number } => {
  const userIds: number[] = []
  let passed = 0
  let before = 0
  for (const { userId, count } of counts) {
    if (passed >= offset + limit) break
    if (passed + count > offset) userIds.push(userId)
    else before = passed + count
    passed += count
  }
  return { userIds, before }
}
