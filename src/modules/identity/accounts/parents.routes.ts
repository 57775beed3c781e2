import type { Knex } from 'knex'
import type { Pool } from 'pg'
import {
  createParent,
  listParents,
  searchUsers,
  updateParent,
  type Parent,
  type ParentSort,
} from '#contracts/accounts'
import type { BodyOf, Direction, ReplyOf } from '#contracts/endpoint'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import { phoneEnding } from '#kernel/phone-number'
import { accountNamed } from '#platform/changes'
import type { Database } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, route, withFeature } from '#platform/http/route'
import { withVersion } from '#platform/versions'
import type { IdentityNeeds } from '../ports'
import { hashNewPassword } from '../sign-in/password.commands'
import { endSessions } from '../sign-in/sessions.rows'
import { staffGrade, type ClaimedStudent } from '../students/student.decide'
import { asStudent, studentRows } from '../students/students.rows'
import { accountRecord, accountShown, type Account, someFamily } from '../users/account.decide'
import {
  givenPasswordMessage,
  passwordGiven,
  filled,
  profileChanges,
  usernameKey,
} from '../users/credentials.decide'
import {
  noteAccountChange,
  recordAccountChange,
  refuseChangedAccount,
  decideFreeUsername,
  userRows,
} from '../users/users.rows'
import { tellOfNewContact } from './new-contact.commands'
import { verificationCommands } from './registration.commands'

const pageSize = 50
const keepers = withFeature('parents_students')

export const parentRoutes = (
  commands: ReturnType<typeof parentCommands>,
  { knex, pool }: Pick<Database, 'knex' | 'pool'>,
) => [
  route(listParents, keepers, async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { limit = pageSize, search = '', sort = 'name', direction = 'asc' } = query
    const offset = (page - 1) * limit
    const { rows, total } = await parentsPage(pool, { search, sort, direction, offset, limit })
    return {
      data: rows.map((row) => asParent(row, row.students)),
      metadata: pageMetadataOf(total, page, limit),
    }
  }),

  route(createParent, keepers, ({ body, by }) => commands.createParent(body, by), answeredOnce),

  route(updateParent, keepers, ({ params, body, by }) => commands.changeParent(params.id, body, by)),

  route(searchUsers, withFeature('settings'), async ({ query }) => ({
    users: await usersLike(knex, query.q),
  })),
]

export const parentCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database
  const students = studentRows(knex)

  const createNewParent = async (form: BodyOf<typeof createParent>, by: By): Promise<Parent> => {
    const passwordHash = await hashNewPassword(needs, form.password, 'parent')
    return needs.messaging.withMail(async (transaction, post) => {
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
      await verificationCommands(needs).askToVerify(account, post)
      await recordAccountChange(transaction, needs, by, `Account of ${accountNamed(account.id)} made`)
      return asParent(account, [])
    })
  }

  const changeParent = async (id: number, form: BodyOf<typeof updateParent>, by: By): Promise<Parent> => {
    const chosen = form.password ? passwordGiven(await hashNewPassword(needs, form.password, 'parent')) : {}
    const account = await needs.messaging.withMail(async (transaction, post) => {
      const before = someFamily(await userRows(transaction).lock(id))
      if (form.username !== before.username) await decideFreeUsername(transaction, form.username)
      const shown = {
        ...profileChanges(before, { ...form, name: form.name || form.username }),
        username: form.username,
      }
      await refuseChangedAccount(transaction, before, form.version, shown)
      const after = await userRows(transaction).rename(id, {
        ...shown,
        ...chosen,
        usernameKey: usernameKey(form.username),
      })
      await noteAccountChange(transaction, { before, after, stamp: { ...by, at: needs.now() } })
      await studentRows(transaction).renameStaffEntry(id, after.name)
      if (after.email !== before.email || after.phone !== before.phone)
        await tellOfNewContact(needs, { before, after, by: 'school' }, post)
      if (form.password) {
        await endSessions(transaction, id)
        // At the contact that the account had: whoever sets both must not be the only one to hear of it.
        await needs.messaging.postMessage(transaction, post)(
          hasContact(before) ? before : after,
          givenPasswordMessage,
        )
      }
      const changed = [
        ...(form.password ? ['Password'] : []),
        ...(after.email === before.email ? [] : ['Email address']),
        ...(after.phone === before.phone ? [] : ['Phone']),
        ...(after.username === before.username ? [] : ['Username']),
      ]
      for (const what of changed)
        await recordAccountChange(transaction, needs, by, `${what} of ${accountNamed(id)} set`)
      return after
    })
    return asParent(account, await students.ofUser(id))
  }

  return { createParent: createNewParent, changeParent }
}

const hasContact = ({ email, phoneVerifiedAt }: Account) => email !== null || phoneVerifiedAt !== null

const asParent = (account: ParentRow, students: Parameters<typeof asStudent>[0][]): Parent => ({
  id: account.id,
  role: account.role,
  students: students.map(asStudent),
  ...withVersion(accountRecord(account.id), accountShown(account)),
})

type ParentRow = Pick<Account, 'id' | 'username' | 'name' | 'email' | 'phone' | 'role'>
type FamilyRow = ParentRow & { students: ClaimedStudent[] }

const orders: Record<ParentSort, string> = {
  name: 'lower(u.name)',
  username: 'u."usernameKey"',
  newest: 'u."createdAt"',
}

const inRows = (sort: ParentSort, direction: Direction): Direction => {
  if (sort !== 'newest') return direction
  return direction === 'asc' ? 'desc' : 'asc'
}

const found = `
  where u.role in ('parent', 'teacher') and u."deletedAt" is null
    and ($1 = '' or strpos(${foldedSql("concat_ws('|', u.username, u.name, u.email, u.phone)")}, $1) > 0
      or strpos(translate(u.phone, translate(u.phone, '0123456789', ''), ''), $4) > 0
      or exists (select from identity.students s
        where s."userId" = u.id and s."mergedInto" is null and strpos(${foldedSql('s.name')}, $1) > 0))`

type ParentsQuery = {
  search: string
  sort: ParentSort
  direction: Direction
  offset: number
  limit: number
}

/** '' matches all. Ties keep creation order. */
const parentsPage = async (
  pool: Pool,
  { search, sort, direction, offset, limit }: ParentsQuery,
): Promise<{ rows: FamilyRow[]; total: number }> => {
  const way = inRows(sort, direction)
  const { rows } = await pool.query<FamilyRow & { id: number | null; total: number }>(
    `with found as materialized (select u.id, ${orders[sort]} as place from identity.users u ${found}),
       page as (select id, place from found order by place ${way}, id ${way} offset $2 limit $3)
     select counted.total, u.id, u.username, u.name, u.email, u.phone, u.role,
            coalesce((
              select json_agg(json_build_object('id', s.id, 'userId', s."userId", 'name', s.name, 'grade', s.grade,
                                                'class', s.class, 'admissionNumber', s."admissionNumber") order by s.id)
              from identity.students s where s."userId" = u.id and s."mergedInto" is null), '[]') as students
     from (select count(*)::int as total from found) counted
     left join (page join identity.users u using (id)) on true
     order by page.place ${way}, page.id ${way}`,
    [foldedSearch(search), offset, limit, phoneEnding(search)],
  )
  return { total: rows[0]!.total, rows: rows.filter(({ id }) => id !== null) }
}

/** By username, at most 20. */
const usersLike = async (knex: Knex, text: string): Promise<ReplyOf<typeof searchUsers>['users']> => {
  const found = await knex<Account>('identity.users')
    .whereIn('role', ['parent', 'teacher'])
    .whereNull('deletedAt')
    .whereRaw(`strpos(${foldedSql("concat_ws('|', username, name)")}, ?) > 0`, [foldedSearch(text)])
    .orderBy('usernameKey')
    .limit(20)
    .select('id', 'username')
  const students = await studentRows(knex).ofUsers(found.map(({ id }) => id))
  return found.map(({ id, username }) => ({
    id,
    username,
    children: students
      .filter(({ userId, grade }) => userId === id && grade !== staffGrade)
      .map(({ id: studentId, name }) => ({ id: studentId, name })),
  }))
}
