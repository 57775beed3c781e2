import type { Direction, PageMetadata } from '#contracts/endpoint'

type UserCount = { userId: number; count: number }

/** By name without case, then by id; deleted users have no name. */
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

/** The users whose rows are on this page of a list grouped by user; `before` counts the rows ahead of theirs. */
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

export const pageMetadataOf = (total: number, page: number, pageSize: number): PageMetadata => {
  const totalPages = Math.max(1, Math.ceil(total / pageSize))
  return { total, page, pageSize, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 }
}
