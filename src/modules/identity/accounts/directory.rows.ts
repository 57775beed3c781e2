import type { Needs } from '#contracts/allergens'
import { type FeatureName, type User } from '#contracts/identity'
import type { MessageSettings } from '#contracts/messages'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { Messaging } from '#modules/messaging/index'
import { channelsOf, contactNeeded } from '#modules/messaging/published'
import type { Database, Reader } from '#platform/database'
import { versionOf } from '#platform/versions'
import { entriesOf } from '../students/guardians.rows'
import { type ClaimedStudent, mayOrderFor, type Student } from '../students/student.decide'
import { studentRows } from '../students/students.rows'
import { accountRecord, accountShown, areTied, type Account, featuresOf } from '../users/account.decide'
import { userRows } from '../users/users.rows'

type Person = Pick<Account, 'id' | 'username' | 'name' | 'email' | 'phone' | 'role'>

const familyQuery = {
  name: 'identity-family',
  text: `select student.id, student."userId", student.name, student.grade, student.class, student."admissionNumber",
           account.role, second."userId" is not null as "isSecondGuardian", student."leftAt" is not null as "hasLeft",
           coalesce(health.allergies, '{}') as allergies, coalesce(health.diet, 'none') as diet,
           array(select other.id from identity.students other where other."mergedInto" = student.id order by other.id)
             as "otherIds"
         from identity.users account
         join identity.students student on student."mergedInto" is null and student.id in (${entriesOf('$1')})
         left join identity.guardians second on second."studentId" = student.id and second."userId" = account.id
         left join identity.student_health health on health."studentId" = student.id
         where account.id = $1 order by student.id`,
}

type CartChild = { student: Student; needs: Needs; otherIds: readonly number[] }

type FamilyRow = Student &
  Pick<Account, 'role'> & {
    isSecondGuardian: boolean
    hasLeft: boolean
    otherIds: number[]
  } & Needs

const orderableChildren = async (pool: Reader, userId: number): Promise<CartChild[]> => {
  const { rows } = await pool.query<FamilyRow>({ ...familyQuery, values: [userId] })
  return rows.flatMap(({ role, isSecondGuardian, hasLeft, allergies, diet, otherIds, ...student }) =>
    mayOrderFor({ id: userId, role }, student, { isSecondGuardian, hasLeft })
      ? [{ student, needs: { allergies, diet }, otherIds }]
      : [],
  )
}

type SettingsOfUser = Pick<MessageSettings, 'sms' | 'orderWithPhone'> & { requireSecondFactor: boolean }

export const asUser = (account: Account, settings: SettingsOfUser): Omit<User, 'privacy'> => ({
  id: account.id,
  username: account.username,
  name: account.name,
  email: account.email,
  phone: account.phone,
  role: account.role,
  isSuperadmin: account.isSuperadmin,
  allowedFeatures: featuresOf(account),
  emailVerified: account.emailVerifiedAt !== null,
  mustChangePassword: account.mustChangePassword,
  secondFactor: account.totpConfirmedAt !== null,
  mustSetUpSecondFactor:
    settings.requireSecondFactor && account.role === 'admin' && account.totpConfirmedAt === null,
  contactNeeded: account.role === 'admin' ? null : contactNeeded(account, settings),
  version: versionOf(accountRecord(account.id), accountShown(account)),
})

export const directory = (
  { knex, pool, reads }: Pick<Database, 'knex' | 'pool' | 'reads'>,
  messaging: Messaging,
) => ({
  personOf: async (userId: number): Promise<Person | null> => {
    const person = await knex<Account>('identity.users')
      .where({ id: userId, deletedAt: null })
      .first('id', 'username', 'name', 'email', 'phone', 'role')
    return person ?? null
  },

  holdsFeature: async (userId: number, feature: FeatureName): Promise<boolean> => {
    const account = await knex<Account>('identity.users')
      .where({ id: userId, role: 'admin', deletedAt: null, disabledAt: null })
      .first('features', 'isSuperadmin')
    return account !== undefined && featuresOf(account).includes(feature)
  },

  /** Possibly the same person (`areTied`): they may not approve for each other. */
  tiedTo: async (userId: number, others: readonly number[]): Promise<Set<number>> => {
    if (others.length === 0) return new Set()
    const administrators = await knex<Account>('identity.users')
      .where({ role: 'admin' })
      .select('id', 'isSuperadmin', 'madeBy', 'passwordSetBy', 'featuresSetBy', 'secondFactorRemovedBy')
    return new Set(others.filter((other) => areTied(userId, other, administrators)))
  },

  usernamesOf: async (userIds: readonly number[]): Promise<Map<number, string>> => {
    const rows = await knex<Account>('identity.users')
      .whereIn('id', [...userIds])
      .select('id', 'username')
    return new Map(rows.map(({ id, username }) => [id, username]))
  },

  /** Null where nobody has this username. */
  userIdOf: async (username: string): Promise<number | null> =>
    (await userRows(knex).byUsername(username))?.id ?? null,

  peopleOf: async (userIds: readonly number[]): Promise<Map<number, Person>> => {
    const people = await knex<Account>('identity.users')
      .whereRaw('id = any(?::int[])', [[...userIds]])
      .select('id', 'username', 'name', 'email', 'phone', 'role')
    return new Map(people.map((person) => [person.id, person]))
  },

  families: async (): Promise<
    (Pick<Account, 'id' | 'name' | 'phone'> & { isPhoneVerified: boolean; children: string[] })[]
  > => {
    const { rows } = await pool.query(
      `select account.id, account.name, account.phone, account."phoneVerifiedAt" is not null as "isPhoneVerified",
         coalesce(array_agg(student.name) filter (where student.id is not null), '{}') as children
       from identity.users account
       left join identity.students student on student."userId" = account.id and student."mergedInto" is null
       where account.role <> 'admin' and account."deletedAt" is null
       group by account.id`,
    )
    return rows
  },

  /** Users without address, SMS phone or account. */
  usersWithoutAddress: async (userIds: readonly number[]): Promise<number[]> => {
    const settings = await messaging.settings()
    const accounts = await knex<Account>('identity.users')
      .whereRaw('id = any(?::int[])', [[...userIds]])
      .where({ deletedAt: null })
      .select('id', 'email', 'phone', 'phoneVerifiedAt', 'messageChannel')
    const reached = accounts.filter((account) => channelsOf(account, settings, false).length > 0)
    const isReachable = new Set(reached.map(({ id }) => id))
    return userIds.filter((id) => !isReachable.has(id))
  },

  studentNamesOf: async (studentIds: readonly number[]): Promise<Map<number, string>> => {
    const rows = await knex<Student>('identity.students')
      .whereIn('id', [...studentIds])
      .select('id', 'name')
    return new Map(rows.map(({ id, name }) => [id, name]))
  },

  usersNamed: (text: string): Promise<number[]> =>
    knex<Account>('identity.users')
      .whereRaw(`strpos(${foldedSql('username')}, ?) > 0`, [foldedSearch(text)])
      .pluck('id'),

  /** Oldest entry first; accounts without students are left out. */
  studentsOfUsers: async (userIds: readonly number[]): Promise<Map<number, ClaimedStudent[]>> => {
    const families = new Map<number, ClaimedStudent[]>()
    for (const student of await studentRows(knex).ofUsers(userIds))
      families.set(student.userId, [...(families.get(student.userId) ?? []), student])
    return families
  },

  /** A parent's students as guardian, a teacher's own entry. */
  orderableStudentsOf: async (userId: number): Promise<Student[]> =>
    (await orderableChildren(reads, userId)).map(({ student }) => student),

  /** The same with what a cart asks: allergies and diet, and numbers under which the child was merged into this one. */
  cartChildrenOf: (userId: number): Promise<CartChild[]> => orderableChildren(reads, userId),
})

/** `words` are folded, all required. `phone`: trailing digits. `whole`: callers without contact access match whole values only. */
type FamilyQuestion = { text: string; words: readonly string[]; phone: string | null; whole: boolean }

type FamilyFound = { userId: number; students: number[] }

// Much cheaper than a regular expression.
const digits = `translate(u.phone, translate(u.phone, '0123456789', ''), '')`

const byPart = `${foldedSql("concat_ws('|', u.username, u.name, u.email)")} like all($1::text[])
  or ($3::text is not null and strpos(${digits}, $3) > 0)`

const byWhole = `${foldedSql('u.username')} like all($1::text[]) or ${foldedSql('u.name')} = $5 or lower(u.email) = $2
  or (length($3::text) = 9 and right(${digits}, 9) = $3)`

/** Newest first; reads a few thousand accounts. */
export const findFamilies = async (
  at: Reader,
  { text, words, phone, whole }: FamilyQuestion,
  limit: number,
): Promise<FamilyFound[]> => {
  const { rows } = await at.query<FamilyFound>(
    `with child as (
       select s."userId", array_agg(s.id) as ids from identity.students s
       where s."userId" is not null and s."mergedInto" is null and ${foldedSql('s.name')} like all($1::text[])
       group by s."userId"),
     account as (
       select u.id, u."createdAt", (${whole ? byWhole : byPart}) as named
       from identity.users u where u.role in ('parent', 'teacher') and u."deletedAt" is null and $2 <> '' and $5 <> '')
     select account.id as "userId", case when named then '{}' else child.ids end as students
     from account left join child on child."userId" = account.id
     where named or child.ids is not null
     order by account."createdAt" desc, account.id desc limit $4`,
    [words.map(containing), text, phone, limit, foldedSearch(text)],
  )
  return rows
}

const containing = (word: string): string => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** Oldest child first; `leaving`: left the register, or in the last grade. A deleted account keeps only its username. */
type FamilyAccount = Pick<Account, 'id' | 'username' | 'name' | 'email' | 'phone' | 'role'> & {
  isDeleted: boolean
  students: { id: number; name: string; grade: string; leaving: boolean }[]
}

export const familyAccounts = async (at: Reader, userIds: readonly number[]): Promise<FamilyAccount[]> => {
  const { rows } = await at.query<FamilyAccount>(
    `select u.id, u.username, u.name, u.email, u.phone, u.role, u."deletedAt" is not null as "isDeleted",
       coalesce((
         select json_agg(json_build_object('id', s.id, 'name', s.name, 'grade', s.grade,
           'leaving', s."leftAt" is not null or s.grade = '12') order by s.id)
         from identity.students s where s."userId" = u.id and s."mergedInto" is null), '[]') as students
     from identity.users u where u.id = any($1)`,
    [userIds],
  )
  return rows
}
