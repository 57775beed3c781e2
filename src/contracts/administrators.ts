import * as z from 'zod/mini'
import { endpoint, idParam, messageReply } from './endpoint'
import { featureName, password, role } from './identity'

/** An administrator as Admin Users lists them (administrator.md section 3). */
export const adminUser = z.object({
  id: z.number(),
  username: z.string(),
  role,
  allowedFeatures: z.array(featureName),
  isSuperadmin: z.boolean(),
  /** What the asker may do with this administrator: the features they may give or take, and a new password. */
  allowed: z.object({ features: z.array(featureName), changePassword: z.boolean() }),
})
export type AdminUser = z.infer<typeof adminUser>

/** All administrators, superadmin first, then by username; at most 500. */
export const listAdmins = endpoint({ method: 'GET', path: '/api/admin-users', reply: z.array(adminUser) })

/** The features an administrator holds from now on, all of them. */
export const setPermissions = endpoint({
  method: 'PUT',
  path: '/api/admin-users/:id/permissions',
  params: idParam,
  body: z.object({ features: z.array(featureName).check(z.maxLength(50)) }),
  reply: adminUser,
})

export const newPassword = z.object({ password })

/** Gives a user a new password; wherever they are signed in they sign in again. */
export const setPassword = endpoint({
  method: 'PUT',
  path: '/api/users/:id/password',
  params: idParam,
  body: newPassword,
  reply: messageReply,
})
