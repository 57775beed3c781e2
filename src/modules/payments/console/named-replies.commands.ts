import type { ListedAttempt } from '../attempt/attempts.view'
import type { Standing } from '../attempt/payment-attempt'

/** The attempts of these rows with their parents' names; null where one is not shown. */
export const namedReplies = async <Reply>(
  rows: readonly ListedAttempt[],
  usernames: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  reply: (attempt: Standing, username: string) => Reply | null,
): Promise<Reply[]> => {
  const names = await usernames([...new Set(rows.map(({ user_id }) => user_id))])
  return rows.flatMap(({ attempt, user_id }) => {
    const shown = attempt.status === 'none' ? null : reply(attempt, names.get(user_id) ?? 'N/A')
    return shown === null ? [] : [shown]
  })
}
