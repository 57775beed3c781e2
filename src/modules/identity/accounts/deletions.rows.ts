import type { Knex } from 'knex'
import type { By } from '#platform/event-store/command-handler'

/** A family whose account is gone. Until it is finished, what other contexts hold of it may still be there. */
export type Deletion = {
  userId: number
  studentIds: number[]
  actor: string
  correlationId: string
  at: Date
  finishedAt: Date | null
}

const deletions = (knex: Knex) => knex<Deletion>('identity.deletions')

export const addDeletion = async (
  transaction: Knex.Transaction,
  deletion: Pick<Deletion, 'userId' | 'studentIds' | 'at'>,
  { actor, correlationId }: By,
): Promise<void> => {
  await deletions(transaction).insert({ ...deletion, actor, correlationId })
}

export const deletionOf = (knex: Knex, userId: number): Promise<Deletion | undefined> =>
  deletions(knex).where({ userId }).first()

/** Oldest first, 100 at most. */
export const unfinishedDeletions = (knex: Knex): Promise<Deletion[]> =>
  deletions(knex).whereNull('finishedAt').orderBy('at').limit(100)

export const finishDeletion = async (knex: Knex, userId: number, finishedAt: Date): Promise<void> => {
  await deletions(knex).where({ userId }).update({ finishedAt })
}
