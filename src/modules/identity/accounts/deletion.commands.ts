import type { Knex } from 'knex'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { destroyFamilyKey } from '#platform/family-keys'
import type { Sweep } from '#platform/module'
import { outboxRows } from '../mail/outbox.rows'
import type { IdentityNeeds } from '../needs'
import { endSessions } from '../sign-in/sessions.rows'
import { studentRows } from '../students/students.rows'
import type { Account } from './account'
import { recordAccountChange } from './account-changes.rows'
import { addDeletion, deletionOf, finishDeletion, unfinishedDeletions, type Deletion } from './deletions.rows'
import { userRows } from './users.rows'

type DeletionNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'ordering' | 'readModels' | 'log'>

// A checkout that was under way when the account went has ended by then.
const settledMs = 60_000

/**
 * Deleting a family: first the account with its students, names, addresses and mails, in one transaction with a marker;
 * then what other contexts hold. A sweep goes on with that until nothing can come in between any more.
 */
export const deletionCommands = (needs: DeletionNeeds) => {
  const { knex } = needs.database

  const finish = async ({ userId, studentIds, at, actor, correlationId }: Deletion): Promise<void> => {
    const by = { actor, correlationId }
    await needs.ordering.cancelOrdersOf(studentIds, by)
    await needs.ordering.deleteDiscountCodesOf(userId, by)
    await needs.readModels.forgetFamily(userId)
    if (needs.now().getTime() - at.getTime() >= settledMs) await finishDeletion(knex, userId, needs.now())
  }

  const finishAll: Sweep = {
    name: 'finish-deletions',
    run: async () => {
      for (const deletion of await unfinishedDeletions(knex)) await finish(deletion)
    },
  }

  return {
    /** Deletes a locked account and all that is its own. */
    deleteAccount: async (transaction: Knex.Transaction, account: Account, by: By): Promise<void> => {
      const { id: userId, email } = account
      const studentIds = (await studentRows(transaction).ofUser(userId)).map(({ id }) => id)
      await addDeletion(transaction, { userId, studentIds, at: needs.now() }, by)
      await studentRows(transaction).removeOfUser(userId)
      await userRows(transaction).markDeleted(userId, needs.now())
      await endSessions(transaction, userId)
      await destroyFamilyKey(transaction, userId)
      if (email !== null) await outboxRows(transaction).removeTo(email)
      await recordAccountChange(transaction, needs, by, `Account of ${accountNamed(userId)} deleted`)
    },

    /** Goes on at once with what the sweep would do. */
    finishDeletionOf: async (userId: number): Promise<void> => {
      await finish((await deletionOf(knex, userId))!).catch((err: unknown) =>
        needs.log?.warn({ err, userId }, 'the rest of a deleted family waits for the next sweep'),
      )
    },

    finishAll,
  }
}
