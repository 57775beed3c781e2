import type { Knex } from 'knex'
import { deleteAnyStudent, deleteParent } from '#contracts/accounts'
import {
  guardianRows,
  someFamily,
  studentRows,
  userRows,
  phoneCodeRows,
  resetRequestRows,
  endSessions,
  inviteRows,
  recordAccountChange,
} from '#modules/identity/index'
import { decideNoSecondGuardian, type Account, type Student } from '#modules/identity/published'
import { streamsOfOrders } from '#modules/ordering/published'
import { accountNamed } from '#platform/changes'
import { ownWritesShown, writing, type By } from '#platform/event-store/command-handler'
import { destroyFamilyKey } from '#platform/event-store/sealed-events'
import { route, withFeature, type Route } from '#platform/http/route'
import type { Sweep } from '#platform/module'
import { each } from '#platform/pacing'
import type { EnrolmentNeeds } from '../ports'
import { refuse } from '../refusals'
import { rollImportRows } from '../roll/roll-imports.rows'
import { decideByOffice, decideForcibleDeletion, decideGivingUp } from './deletion.decide'
import { inTheWayOf, removeStudent } from './remove-student.commands'

const keepers = withFeature('parents_students')

export const deletionRoutes = (commands: ReturnType<typeof officeDeletions>): Route[] => [
  route(deleteParent, keepers, async ({ params, query, user, by }) => {
    const { force, giveUp } = query
    await commands.deleteParent(
      { ...params, force: force === 'true', giveUp, administrator: user.userId },
      by,
    )
    return { message: 'Parent deleted successfully' }
  }),

  route(deleteAnyStudent, keepers, async ({ params, query, by }) => {
    await commands.deleteStudent({ ...params, force: query.force === 'true' }, by)
    return { message: 'Student deleted successfully' }
  }),
]

/** `giveUp` names the account that waives credit and refunds. */
type DeletionRequest = { id: number; force: boolean; giveUp?: string | undefined; administrator: number }

export const officeDeletions = (needs: EnrolmentNeeds, deletions: ReturnType<typeof deletionCommands>) => {
  const { knex } = needs.database
  const students = studentRows(knex)

  /** Account first, then its orders; the sweep finishes after a crash. */
  const deleteParent = async (
    { id, force, giveUp, administrator }: DeletionRequest,
    by: By,
  ): Promise<void> => {
    const account = someFamily(await userRows(knex).byId(id))
    const studentIds = await students.idsOfUser(id)
    decideNoSecondGuardian(await guardianRows(knex).namesOfShared(studentIds))
    decideForcibleDeletion('parent_has_orders', account.username, await inTheWayOf(needs, studentIds), force)
    const { credit, payments, refunds } = needs
    const attempts = await payments.attemptsOfUser(id)
    const left = { creditBalance: await credit.allOf(id), owed: await refunds.owedForAll(attempts) }
    decideGivingUp(account.username, left, giveUp)
    if (left.creditBalance > 0 || left.owed > 0) {
      await refunds.giveUp(attempts, administrator, by)
      await credit.giveUp(id, administrator, by)
    }
    await knex.transaction(async (transaction) =>
      // Account before students, the same order everywhere, so that nothing deadlocks.
      deletions.deleteAccount(transaction, someFamily(await userRows(transaction).lock(id)), by),
    )
    await deletions.finishDeletionOf(id)
  }

  const deleteStudent = async ({ id, force }: { id: number; force: boolean }, by: By): Promise<void> => {
    const student = await students.byId(id)
    if (!student) throw refuse('student_not_found', 'Student not found')
    decideByOffice(student, await ownerOf(knex, student))
    const ids = await students.idsOf(id)
    decideForcibleDeletion('student_has_orders', student.name, await inTheWayOf(needs, ids), force)
    await cancelOrdersOf(needs, ids, by)
    await knex.transaction(async (transaction) => {
      if (student.userId !== null) await userRows(transaction).lock(student.userId)
      // The account may have become a teacher's meanwhile.
      decideByOffice(student, await ownerOf(transaction, student))
      await removeStudent(transaction, needs, student, by)
    })
    await cancelOrdersOf(needs, ids, by)
  }

  return { deleteParent, deleteStudent }
}

const ownerOf = async (knex: Knex, { userId }: Student): Promise<Account | undefined> =>
  userId === null ? undefined : userRows(knex).byId(userId)

const maxCancelled = 5_000

const cancelOrdersOf = async (
  { ordering, viewsInclude }: EnrolmentNeeds,
  studentIds: readonly number[],
  by: By,
): Promise<void> => {
  const writer = writing(by)
  const orderIds = await ordering.orderIdsWhere({ studentIds, state: 'pending' }, maxCancelled)
  await ordering.change(orderIds, 'cancelled', writer)
  // The account's rows are folded again next.
  await ownWritesShown(writer, { viewsInclude })
}

const settledMs = 60_000

/** Deletes the account in one transaction, then the data of other contexts. A sweep repeats that until nothing can bring it back. */
export const deletionCommands = (needs: EnrolmentNeeds) => {
  const { knex } = needs.database

  const finish = async ({ userId, studentIds, at, actor, correlationId }: Deletion): Promise<void> => {
    const by = { actor, correlationId }
    const { createdAt } = (await userRows(knex).byId(userId))!
    await needs.deletionList.add({
      userId,
      createdAt: createdAt.toISOString(),
      deletedAt: at.toISOString(),
    })
    await cancelOrdersOf(needs, studentIds, by)
    await needs.ordering.deleteDiscountCodesOf(userId, studentIds, by)
    await needs.ordering.plans.change(userId, by, () => ({ kind: 'end' }))
    const isSettled =
      needs.now().getTime() - at.getTime() >= settledMs && !(await needs.readModels.isRebuilding())
    await forgetFamily(needs, userId)
    // A mail may be in progress.
    await needs.messaging.forgetUser(knex, userId)
    if (isSettled) await finishDeletion(knex, userId, needs.now())
  }

  const finishAll: Sweep = {
    name: 'finish-deletions',
    run: async () => {
      await each(await unfinishedDeletions(knex), finish)
    },
  }

  const deleteAccount = async (transaction: Knex.Transaction, account: Account, by: By): Promise<void> => {
    const { id: userId } = account
    const studentIds = await studentRows(transaction).idsOfUser(userId)
    await addDeletion(transaction, { userId, studentIds, at: needs.now() }, by)
    await rollImportRows(transaction).forget(studentIds)
    const children = await studentRows(transaction).namesOfUser(userId)
    await studentRows(transaction).removeOfUser(userId)
    await guardianRows(transaction).removeOfUser(userId)
    await inviteRows(transaction).removeOfUser(userId)
    await userRows(transaction).markDeleted(userId, needs.now())
    await endSessions(transaction, userId)
    await destroyFamilyKey(transaction, userId)
    await needs.messaging.forgetUser(transaction, userId)
    // Mails from before the account, and reset requests.
    const names = [account.username, account.email, account.phone].flatMap((name) => name ?? [])
    const words = [...names, account.name, ...children]
    await needs.forgetWords(transaction, words)
    if (account.email !== null) await needs.messaging.forgetAddress(transaction, account.email)
    await resetRequestRows(transaction).removeOf(names)
    await phoneCodeRows(transaction).remove(userId)
    await recordAccountChange(transaction, needs, by, `Account of ${accountNamed(userId)} deleted`)
  }

  return {
    deleteAccount,

    /** After a restore; the sweep does the rest. */
    deleteAgain: async (
      deleted: readonly { userId: number; createdAt: string }[],
      by: By,
    ): Promise<number> => {
      let again = 0
      for (const { userId, createdAt } of deleted)
        await knex.transaction(async (transaction) => {
          const account = await userRows(transaction).lock(userId)
          if (!account || account.deletedAt || account.role === 'admin') return
          if (account.createdAt.toISOString() !== createdAt) return
          await deleteAccount(transaction, account, by)
          again += 1
        })
      return again
    },

    finishDeletionOf: async (userId: number): Promise<void> => {
      await finish((await deletionOf(knex, userId))!).catch((err: unknown) =>
        needs.log?.warn({ err, userId }, 'the rest of a deleted family waits for the next sweep'),
      )
    },

    finishAll,
  }
}

/** Removes values of a destroyed key from every read model. */
const forgetFamily = async (needs: EnrolmentNeeds, userId: number): Promise<void> => {
  const { ordering, payments, transfers, refunds, credit, audit, readModels } = needs
  readModels.forgetKey(userId)
  const attempts = await payments.attemptsOfUser(userId)
  const streams = [
    ...attempts.map(payments.attemptStream),
    ...(await transfers.streamsOfUser(userId)),
    ...streamsOfOrders(await ordering.orderIdsWhere({ userIds: [userId] })),
    ...(await refunds.streamsOfAttempts(attempts)),
    credit.streamOfUser(userId),
    ...(await audit.changeStreamsNaming(userId)),
  ]
  await payments.forgetUser(userId)
  await transfers.forgetUser(userId)
  await readModels.refold(streams)
}

/** Unfinished while other contexts may hold data. */
type Deletion = {
  userId: number
  studentIds: number[]
  actor: string
  correlationId: string
  at: Date
  finishedAt: Date | null
}

const deletions = (knex: Knex) => knex<Deletion>('enrolment.deletions')

const addDeletion = async (
  transaction: Knex.Transaction,
  deletion: Pick<Deletion, 'userId' | 'studentIds' | 'at'>,
  { actor, correlationId }: By,
): Promise<void> => {
  await deletions(transaction).insert({ ...deletion, actor, correlationId })
}

const deletionOf = (knex: Knex, userId: number): Promise<Deletion | undefined> =>
  deletions(knex).where({ userId }).first()

const unfinishedDeletions = (knex: Knex): Promise<Deletion[]> =>
  deletions(knex).whereNull('finishedAt').orderBy('at').limit(100)

const finishDeletion = async (knex: Knex, userId: number, finishedAt: Date): Promise<void> => {
  await deletions(knex).where({ userId }).update({ finishedAt })
}
