import * as z from 'zod/mini'
import { endpoint, idParam, messageReply, pageMetadata, wholeNumber } from './endpoint'
import { featureName, password, role } from './identity'
import { direction, searchText } from './sorting'

/** An administrator as Admin Users lists them (administrator.md section 3). */
const adminUser = z.object({
  id: z.number(),
  username: z.string(),
  role,
  allowedFeatures: z.array(featureName),
  isSuperadmin: z.boolean(),
  /** Cannot sign in until enabled again. */
  disabled: z.boolean(),
  /** Signs in with a code beside the password. */
  secondFactor: z.boolean(),
  /** What the asker may do with this administrator: the features they may give or take, and a new password. */
  allowed: z.object({
    features: z.array(featureName),
    changePassword: z.boolean(),
    disable: z.boolean(),
    removeSecondFactor: z.boolean(),
  }),
})
export type AdminUser = z.infer<typeof adminUser>

/** All administrators, superadmin first, then by username; at most 500. */
export const listAdmins = endpoint('GET', '/api/admin-users', { reply: z.array(adminUser) })

/** `rank` is superadmin first, then by username; `features` is how many they hold, `created` when they were made. */
export const adminSorts = ['rank', 'username', 'features', 'created'] as const
export type AdminSort = (typeof adminSorts)[number]

/**
 * The administrators as Admin Users lists them: superadmin first, then by username, unless asked otherwise; 50 a page.
 * `search` is found in the username without regard to case, `feature` takes those who hold it. A filter that is absent
 * takes all.
 */
export const administratorList = endpoint('GET', '/api/administrators', {
  query: z.object({
    page: z.optional(wholeNumber),
    sort: z.optional(z.enum(adminSorts)),
    direction: z.optional(direction),
    search: z.optional(searchText),
    feature: z.optional(featureName),
  }),
  reply: z.object({ data: z.array(adminUser), metadata: pageMetadata }),
})

/** The features an administrator holds from now on, all of them. */
export const setPermissions = endpoint('PUT', '/api/admin-users/:id/permissions', {
  params: idParam,
  body: z.object({ features: z.array(featureName).check(z.maxLength(50)) }),
  reply: adminUser,
})

/** Disables an administrator, who is signed out everywhere, or enables them again. */
export const setAdminStatus = endpoint('PUT', '/api/admin-users/:id/status', {
  params: idParam,
  body: z.object({ disabled: z.boolean() }),
  reply: adminUser,
})

export const newPassword = z.object({
  password,
  /** Of whoever changes their own. */
  currentPassword: z.optional(z.string().check(z.maxLength(200))),
})

/** Gives a user a new password; wherever they are signed in they sign in again. */
export const setPassword = endpoint('PUT', '/api/users/:id/password', {
  params: idParam,
  body: newPassword,
  reply: messageReply,
})
