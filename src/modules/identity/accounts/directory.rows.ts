import type { Database } from '#platform/database'
import type { Principal } from '#platform/http/route'
import type { StoredSession } from '#platform/http/sessions'
import type { Student } from '../students/student.decide'
import { mayOrderFor } from '../students/student.decide'
import { studentRows } from '../students/students.rows'
import type { Account } from './users.rows'
import { featuresOf, userRows } from './users.rows'

/** An account as siblings may know it. */
export type Person = Pick<Account, 'id' | 'username' | 'name' | 'email' | 'phone' | 'role'>

type PrincipalRow = Pick<
  Account,
  'username' | 'name' | 'email' | 'role' | 'features' | 'isSuperadmin' | 'mustChangePassword'
> & { userId: number }

type SessionRow = { sessionOf: number; expiresAt: Date } & (PrincipalRow | { userId: null })

const sessionQuery = {
  name: 'identity-session',
  text: `select session.user_id as "sessionOf", session.expires_at as "expiresAt",
           account.id as "userId", username, name, email, role, features, "isSuperadmin", "mustChangePassword"
         from platform.sessions session
         left join identity.users account on account.id = session.user_id and account."deletedAt" is null
         where session.id = $1 and session.expires_at > now()`,
}

const familyQuery = {
  name: 'identity-family',
  text: `select student.id, student."userId", student.name, student.grade, account.role
         from identity.users account join identity.students student on student."userId" = account.id
         where account.id = $1 order by student.id`,
}

// Looked up one by one: a plan that was kept from when there were few accounts never reads all of them.
const usernamesQuery = {
  name: 'identity-usernames',
  text: `select found.id, found.username from unnest((select $1::int[])) as wanted (id)
         cross join lateral (select id, username from identity.users where id = wanted.id offset 0) found`,
}

const principalIn = (row: PrincipalRow): Principal => ({ ...row, features: featuresOf(row) })

/** What the rest of the service asks about people; nothing here changes anything. */
export const directory = ({ knex, pool }: Pick<Database, 'knex' | 'pool'>) => ({
  /** A session that has not expired and whose it is, for every request: one prepared query, since each costs a round trip. */
  sessionOf: async (id: string): Promise<StoredSession | null> => {
    const { rows } = await pool.query<SessionRow>({ ...sessionQuery, values: [id] })
    const row = rows[0]
    if (!row) return null
    const { sessionOf: userId, expiresAt, ...account } = row
    const principal = account.userId === null ? null : principalIn(account)
    return { userId, expiresAt, principal }
  },

  personOf: async (userId: number): Promise<Person | null> => {
    const account = await userRows(knex).byId(userId)
    if (!account || account.deletedAt) return null
    const { id, username, name, email, phone, role } = account
    return { id, username, name, email, phone, role }
  },

  /** Username by id; ids that nobody has are left out. */
  usernamesOf: async (userIds: readonly number[]): Promise<Map<number, string>> => {
    const { rows } = await pool.query<{ id: number; username: string }>({
      ...usernamesQuery,
      values: [userIds],
    })
    return new Map(rows.map(({ id, username }) => [id, username]))
  },

  /** The ids of everybody whose username contains this text, without regard to case. */
  usersNamed: async (text: string): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      'select id from identity.users where strpos(lower(username), lower($1)) > 0',
      [text],
    )
    return rows.map(({ id }) => id)
  },

  studentOf: async (studentId: number): Promise<Student | null> =>
    (await studentRows(knex).byId(studentId)) ?? null,

  /** All students of an account, oldest entry first. */
  studentsOf: (userId: number): Promise<Student[]> => studentRows(knex).ofUser(userId),

  /** The students of each of these accounts; accounts that have none are left out. */
  studentsOfUsers: async (userIds: readonly number[]): Promise<Map<number, Student[]>> => {
    const families = new Map<number, Student[]>()
    for (const student of await studentRows(knex).ofUsers(userIds))
      families.set(student.userId, [...(families.get(student.userId) ?? []), student])
    return families
  },

  /** Those a user may order for: a parent's students, a teacher's own staff entry, nobody's for others. */
  orderableStudentsOf: async (userId: number): Promise<Student[]> => {
    const { rows } = await pool.query<Student & Pick<Account, 'role'>>({
      ...familyQuery,
      values: [userId],
    })
    return rows.flatMap(({ role, ...student }) =>
      mayOrderFor({ id: userId, role }, student) ? [student] : [],
    )
  },
})
