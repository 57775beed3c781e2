import { deleteAnyStudent, deleteParent } from '#contracts/accounts'
import type { Knex } from 'knex'
import { guardianRows, someFamily, studentRows, userRows } from '#modules/identity/index'
import { decideNoSecondGuardian, type Account, type Student } from '#modules/identity/published'
import type { By } from '#platform/event-store/command-handler'
import { route, withFeature, type Route } from '#platform/http/route'
import type { EnrolmentNeeds } from '../needs'
import { refuse } from '../refusals'
import { inTheWayOf, removeStudent, type deletionCommands } from './deletion.commands'
import { decideByOffice, decideForcibleDeletion, decideGivingUp } from './deletion.decide'

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
type Deletion = { id: number; force: boolean; giveUp?: string | undefined; administrator: number }

type Needs = EnrolmentNeeds & Pick<ReturnType<typeof deletionCommands>, 'deleteAccount' | 'finishDeletionOf'>

export const officeDeletions = (needs: Needs) => {
  const { knex } = needs.database
  const students = studentRows(knex)

  /** Account first, then its orders; the sweep finishes after a crash. */
  const deleteParent = async ({ id, force, giveUp, administrator }: Deletion, by: By): Promise<void> => {
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
      needs.deleteAccount(transaction, someFamily(await userRows(transaction).lock(id)), by),
    )
    await needs.finishDeletionOf(id)
  }

  const deleteStudent = async ({ id, force }: { id: number; force: boolean }, by: By): Promise<void> => {
    const student = await students.byId(id)
    if (!student) throw refuse('student_not_found', 'Student not found')
    decideByOffice(student, await ownerOf(knex, student))
    const ids = await students.idsOf(id)
    decideForcibleDeletion('student_has_orders', student.name, await inTheWayOf(needs, ids), force)
    await needs.ordering.cancelOrdersOf(ids, by)
    await knex.transaction(async (transaction) => {
      if (student.userId !== null) await userRows(transaction).lock(student.userId)
      // The account may have become a teacher's meanwhile.
      decideByOffice(student, await ownerOf(transaction, student))
      await removeStudent(transaction, needs, student, by)
    })
    await needs.ordering.cancelOrdersOf(ids, by)
  }

  return { deleteParent, deleteStudent }
}

const ownerOf = async (knex: Knex, { userId }: Student): Promise<Account | undefined> =>
  userId === null ? undefined : userRows(knex).byId(userId)
