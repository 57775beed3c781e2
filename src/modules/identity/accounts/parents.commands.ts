import type { Knex } from 'knex'
import { accountNamed } from '#platform/changes'
import { recordAccountChange } from './account-changes.rows'
import type { BodyOf } from '#contracts/endpoint'
import type { createParent, Parent, updateParent } from '#contracts/parents'
import type { deletionCommands } from './deletion.commands'
import { passwordChosen } from './credentials.decide'
import type { VerifyingMail } from '../sign-in/email-verification.commands'
import type { ParentRow } from './parents.rows'
import { hashNewPassword } from '../sign-in/password.commands'
import { endSessions } from '../sign-in/sessions.rows'
import { tellOfNewContact } from './new-contact.commands'
import { decideFreeUsername } from './usernames.rows'
import { filled, profileChanges, usernameKey } from './profile.decide'
import { decideNoSecondGuardian } from '../guardians/guardian.decide'
import { refuse } from '../refusals'
import { guardianRows } from '../students/guardians.rows'
import {
  decideByOffice,
  decideForcibleDeletion,
  decideGivingUp,
  type Student,
} from '../students/student.decide'
import { asStudent, studentRows } from '../students/students.rows'
import { userRows } from './users.rows'
import type { IdentityNeeds } from '../needs'
import { inTheWayOf, removeStudent } from '../students/students.commands'
import type { By } from '#platform/event-store/command-handler'
import type { Account } from './account'

type ParentNeeds = Pick<
  IdentityNeeds,
  'credit' | 'database' | 'now' | 'ordering' | 'payments' | 'publicUrl' | 'schoolName'
> &
  VerifyingMail &
  Pick<ReturnType<typeof deletionCommands>, 'deleteAccount' | 'finishDeletionOf'>

/** `giveUp` names the account whose credit and refunds are wanted by nobody any more. */
type Deletion = { id: number; force: boolean; giveUp?: string | undefined; administrator: number }

/** Parents and their students as administrators keep them (administrator.md section 2.11). */
export const parentCommands = (needs: ParentNeeds) => {
  const { knex } = needs.database
  const students = studentRows(knex)

  const createNewParent = async (form: BodyOf<typeof createParent>, by: By): Promise<Parent> => {
    const passwordHash = await hashNewPassword(form.password, 'parent')
    return needs.withMail(async (transaction, post) => {
      await decideFreeUsername(transaction, form.username)
      const account = await userRows(transaction).insert({
        username: form.username,
        name: form.name || form.username,
        email: filled(form.email),
        phone: filled(form.phone),
        role: 'parent',
        passwordHash,
        createdAt: needs.now(),
      })
      await needs.verification.askToVerify(account, post)
      await recordAccountChange(transaction, needs, by, `Account of ${accountNamed(account.id)} made`)
      return asParent(account, [])
    })
  }

  const changeParent = async (id: number, form: BodyOf<typeof updateParent>, by: By): Promise<Parent> => {
    const chosen = form.password ? passwordChosen(await hashNewPassword(form.password, 'parent')) : {}
    const account = await needs.withMail(async (transaction, post) => {
      const before = someFamily(await userRows(transaction).lock(id))
      if (form.username !== before.username) await decideFreeUsername(transaction, form.username)
      const after = await userRows(transaction).rename(id, {
        ...profileChanges(before, { ...form, name: form.name || form.username }),
        ...chosen,
        username: form.username,
        usernameKey: usernameKey(form.username),
      })
      await studentRows(transaction).renameStaffEntry(id, after.name)
      if (after.email !== before.email || after.phone !== before.phone)
        await tellOfNewContact(needs, { before, after, by: 'school' }, post)
      if (form.password) await endSessions(transaction, id)
      const changed = [
        ...(form.password ? ['Password'] : []),
        ...(after.email === before.email ? [] : ['E-mail address']),
        ...(after.phone === before.phone ? [] : ['Phone']),
        ...(after.username === before.username ? [] : ['Username']),
      ]
      for (const what of changed)
        await recordAccountChange(transaction, needs, by, `${what} of ${accountNamed(id)} set`)
      return after
    })
    return asParent(account, await students.ofUser(id))
  }

  /** The account goes first, its orders are cancelled after it; whatever cuts that off, a sweep goes on with it. */
  const deleteParent = async ({ id, force, giveUp, administrator }: Deletion, by: By): Promise<void> => {
    const account = someFamily(await userRows(knex).byId(id))
    const studentIds = await students.idsOfUser(id)
    decideNoSecondGuardian(await guardianRows(knex).namesOfShared(studentIds))
    decideForcibleDeletion('parent_has_orders', account.username, await inTheWayOf(needs, studentIds), force)
    const left = await needs.credit.leftOf(id)
    decideGivingUp(account.username, left, giveUp)
    if (left.creditBalance > 0 || left.owed > 0) await needs.credit.giveUp(id, administrator, by)
    await knex.transaction(async (transaction) =>
      // The account before its students, as whoever changes both: neither waits for what the other holds.
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
      // Whose parent's account became a teacher's meanwhile keeps it.
      decideByOffice(student, await ownerOf(transaction, student))
      await removeStudent(transaction, needs, student, by)
    })
    await needs.ordering.cancelOrdersOf(ids, by)
  }

  return { createParent: createNewParent, changeParent, deleteParent, deleteStudent }
}

const ownerOf = async (knex: Knex, { userId }: Student): Promise<Account | undefined> =>
  userId === null ? undefined : userRows(knex).byId(userId)

/** A parent's or teacher's account that is still there; an administrator's is none. */
const someFamily = (account: Account | undefined): Account => {
  if (!account || account.role === 'admin' || account.deletedAt)
    throw refuse('parent_not_found', 'Parent not found')
  return account
}

/** An account with its students as administrators see them. */
export const asParent = (
  { id, username, name, email, phone, role }: ParentRow,
  students: Parameters<typeof asStudent>[0][],
): Parent => ({ id, username, name, email, phone, role, students: students.map(asStudent) })
