import * as z from 'zod/mini'
import { endpoint, idParam, messageReply, wholeNumber } from './endpoint'
import { emailAddress, student } from './identity'

/** Who orders for a child. `first`: the account that has the child; there is one, and at most three others. */
export const guardian = z.object({ userId: z.number(), name: z.string(), first: z.boolean() })
export type Guardian = z.infer<typeof guardian>

/** A link that is on its way to this address; nobody has followed it yet. `expiresAt` is an ISO instant. */
const guardianInvite = z.object({ id: z.string(), email: z.string(), expiresAt: z.string() })
export type GuardianInvite = z.infer<typeof guardianInvite>

/** Second guardians of a child and open invites together. */
export const mostSecondGuardians = 3

/** For the child's guardians and the office, the first guardian first; a second guardian sees no invites. */
export const listGuardians = endpoint('GET', '/api/students/:id/guardians', {
  params: idParam,
  reply: z.object({ guardians: z.array(guardian), invites: z.array(guardianInvite) }),
})

const guardianInviteForm = z.object({ email: emailAddress('Please enter a valid email address') })

/** By the first guardian alone. The same address once more gets a new link, and the one before is void. */
export const inviteGuardian = endpoint('POST', '/api/students/:id/guardians/invite', {
  status: 201,
  params: idParam,
  body: guardianInviteForm,
  reply: guardianInvite,
})

/** By the first guardian or the office: the link no longer works. */
export const withdrawInvite = endpoint('DELETE', '/api/students/:id/guardians/invites/:inviteId', {
  params: z.object({ ...idParam.shape, inviteId: z.uuid() }),
  reply: messageReply,
})

/** By the first guardian, the second guardian themselves, or the office; the first guardian stays. */
export const removeGuardian = endpoint('DELETE', '/api/students/:id/guardians/:userId', {
  params: z.object({ ...idParam.shape, userId: wholeNumber }),
  reply: messageReply,
})

const tokenParam = z.object({ token: z.string().check(z.regex(/^[\w-]{20,100}$/)) })

/** Whose invite it is, for the account whom it is for; it changes nothing. Refused as accepting it would be. */
export const getGuardianInvite = endpoint('GET', '/api/guardian-invites/:token', {
  params: tokenParam,
  reply: z.object({
    student: z.object({ name: z.string() }),
    invitedBy: z.object({ name: z.string() }),
    expiresAt: z.string(),
  }),
})
export type ShownInvite = z.infer<(typeof getGuardianInvite)['reply']>

export const acceptGuardianInvite = endpoint('POST', '/api/guardian-invites/:token/accept', {
  params: tokenParam,
  reply: student,
})
