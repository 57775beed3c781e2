import type { Knex } from 'knex'
import unhomoglyph from 'unhomoglyph'
import type { Account } from './account'
import { decideUsername } from './username.decide'

/** UTS 39 skeleton, ignoring case, dots and dashes, with 1 l I i alike. */
const lookOf = (username: string): string =>
  unhomoglyph(username.normalize('NFKC').toLowerCase().normalize('NFD'))
    .normalize('NFD')
    .toLowerCase()
    .replace(/[1li|]/g, 'l')
    .replace(/[._-]/g, '')

/** Throws for mixed scripts and lookalikes of administrators. */
export const decideFreeUsername = async (knex: Knex, username: string): Promise<void> => {
  const administrators = await knex<Account>('identity.users').where({ role: 'admin' }).pluck('username')
  const look = lookOf(username)
  decideUsername(
    username,
    administrators.some((name: string) => lookOf(name) === look),
  )
}
