import type { Knex } from 'knex'
import unhomoglyph from 'unhomoglyph'
import type { Account } from './account'
import { decideUsername } from './username.decide'

/** Two usernames of the same look have one: UTS 39's skeleton, without case, dots and dashes, 1 l I i alike. */
const lookOf = (username: string): string =>
  unhomoglyph(username.normalize('NFKC').toLowerCase().normalize('NFD'))
    .normalize('NFD')
    .toLowerCase()
    .replace(/[1li|]/g, 'l')
    .replace(/[._-]/g, '')

/** Refuses a new username whose characters do not fit, or that looks like an administrator's. */
export const decideFreeUsername = async (knex: Knex, username: string): Promise<void> => {
  const administrators = await knex<Account>('identity.users').where({ role: 'admin' }).pluck('username')
  const look = lookOf(username)
  decideUsername(
    username,
    administrators.some((name: string) => lookOf(name) === look),
  )
}
