import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { Reader } from '#platform/database'
import type { Account } from './account'

/** `words` are folded, all required. `phone`: trailing digits. `whole`: callers without contact access match whole values only. */
export type FamilyQuestion = { text: string; words: readonly string[]; phone: string | null; whole: boolean }

export type FamilyFound = { userId: number; students: number[] }

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

/** Oldest child first. A deleted account keeps only its username. */
export type FamilyAccount = Pick<Account, 'id' | 'username' | 'name' | 'email' | 'phone' | 'role'> & {
  isDeleted: boolean
  students: { id: number; name: string; grade: string }[]
}

export const familyAccounts = async (at: Reader, userIds: readonly number[]): Promise<FamilyAccount[]> => {
  const { rows } = await at.query<FamilyAccount>(
    `select u.id, u.username, u.name, u.email, u.phone, u.role, u."deletedAt" is not null as "isDeleted",
       coalesce((
         select json_agg(json_build_object('id', s.id, 'name', s.name, 'grade', s.grade) order by s.id)
         from identity.students s where s."userId" = u.id and s."mergedInto" is null), '[]') as students
     from identity.users u where u.id = any($1)`,
    [userIds],
  )
  return rows
}
