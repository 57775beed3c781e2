import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { Invite } from './guardian.decide'

type InviteRow = Invite & { id: string; tokenHash: string; invitedAt: Date }

/** The rows of `identity.guardian_invites`, on the database or inside a transaction. */
export const inviteRows = (knex: Knex) => {
  const invites = () => knex<InviteRow>('identity.guardian_invites')
  const open = (studentId: number, at: Date) =>
    invites().where({ studentId, acceptedAt: null }).where('expiresAt', '>', at)
  return {
    /** Those that can still be accepted, unless who has sent them is no longer the child's first guardian; the oldest first. */
    openOf: (studentId: number, invitedBy: number, at: Date): Promise<InviteRow[]> =>
      open(studentId, at).where({ invitedBy }).orderBy(['invitedAt', 'id']),

    add: (invite: Omit<InviteRow, 'id' | 'acceptedAt'>): Promise<InviteRow> =>
      invites()
        .insert({ id: v7(), ...invite })
        .returning('*')
        .then(([row]) => row!),

    /** The invite of this token, locked until the transaction ends. */
    lock: (tokenHash: string): Promise<InviteRow | undefined> =>
      invites().where({ tokenHash }).forUpdate().first(),

    markAccepted: async (id: string, acceptedAt: Date): Promise<void> => {
      await invites().where({ id }).update({ acceptedAt, email: null })
    },

    /** Whether there was an open one to withdraw. */
    removeOpen: async (studentId: number, id: string, at: Date): Promise<boolean> =>
      (await open(studentId, at).where({ id }).delete()) > 0,

    /** Voids the open ones for this address, which is in lower case. */
    removeOpenFor: async (studentId: number, email: string, at: Date): Promise<void> => {
      await open(studentId, at).where({ email }).delete()
    },

    removeOfUser: async (invitedBy: number): Promise<void> => {
      await invites().where({ invitedBy }).delete()
    },
  }
}
