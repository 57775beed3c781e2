import * as z from 'zod/mini'
import {
  endpoint,
  idParam,
  messageReply,
  pageMetadata,
  personName,
  wholeNumber,
  direction,
  numberUpTo,
  searchText,
  nonEmpty,
} from './endpoint'
import {
  newUsername,
  optionalEmail,
  optionalPhone,
  password,
  role,
  shortUsername,
  student,
  emailAddress,
  featureName,
} from './identity'

/** A parent (or teacher) with their students, as Parents & Students lists them (administrator.md section 3). */
const parent = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  role,
  students: z.array(student),
})
export type Parent = z.infer<typeof parent>

const minSearchLength = 3
const searchTooShort = 'Please enter at least 3 characters to search'

export const parentSorts = ['name', 'username', 'newest'] as const
export type ParentSort = (typeof parentSorts)[number]

/**
 * 50 a page unless asked otherwise, at most 100, by name unless asked otherwise; `newest` begins with who came last.
 * `search` is found in username, name, e-mail, phone and the students' names, without regard to case.
 */
export const listParents = endpoint('GET', '/api/parents', {
  query: z.object({
    page: z.optional(wholeNumber),
    limit: z.optional(numberUpTo(100)),
    search: z.optional(
      searchText.check(z.refine((text) => text === '' || text.length >= minSearchLength, searchTooShort)),
    ),
    sort: z.optional(z.enum(parentSorts)),
    direction: z.optional(direction),
  }),
  reply: z.object({ data: z.array(parent), metadata: pageMetadata }),
})

const fields = {
  username: newUsername(shortUsername).check(z.minLength(3, shortUsername)),
  name: z.optional(z.union([z.literal(''), personName('Name is required')])),
  email: optionalEmail,
  phone: optionalPhone,
}
const passwordNeeded = 'Password is required when creating a new parent'

export const newParent = z.object({
  ...fields,
  password: z.pipe(z._default(z.string(), '').check(z.minLength(1, passwordNeeded)), password),
})

export const createParent = endpoint('POST', '/api/parents', { status: 201, body: newParent, reply: parent })

/** A blank password stays what it is; a new one signs the parent out everywhere. */
export const changedParent = z.object({
  ...fields,
  password: z.optional(
    z.string().check(
      z.maxLength(200),
      z.refine(
        (text) => text === '' || text.length >= 6,
        'Password must be at least 6 characters when provided',
      ),
    ),
  ),
})

export const updateParent = endpoint('PUT', '/api/parents/:id', {
  params: idParam,
  body: changedParent,
  reply: parent,
})

const forceQuery = z.object({ force: z.optional(z.enum(['true', 'false'])) })

/** `giveUp` is the account's username: what it is still owed is wanted by nobody any more. */
const deletionQuery = z.object({ ...forceQuery.shape, giveUp: z.optional(z.string().check(z.maxLength(60))) })

/**
 * Removes the account and its students. With orders it answers 409 with `canForce`, `orderCount`, `mealsInPayment` (meals that
 * are being paid for and are no order yet) and `details`;
 * forced, these are cancelled and what was paid for them is owed back (DESIGN section 4). With credit or money owed from before it
 * answers 409 `credit_left` with `creditBalance` (held credit among it) and `owed`, in kwacha, until that is paid out or given up.
 */
export const deleteParent = endpoint('DELETE', '/api/parents/:id', {
  params: idParam,
  query: deletionQuery,
  reply: messageReply,
})

export const deleteAnyStudent = endpoint('DELETE', '/api/parents/students/:id', {
  params: idParam,
  query: forceQuery,
  reply: messageReply,
})

/** Parents and teachers whose username or name contains `q` (at least 2 characters); at most 20. */
export const searchUsers = endpoint('GET', '/api/users/search', {
  query: z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(100)) }),
  reply: z.object({ users: z.array(z.object({ id: z.number(), username: z.string() })) }),
})

/** Who orders for a child. `first`: the account that has the child; there is one, and at most three others. */
export const guardian = z.object({ userId: z.number(), name: z.string(), first: z.boolean() })
export type Guardian = z.infer<typeof guardian>

/** A link that is on its way to this address; nobody has followed it yet. `expiresAt` is an ISO instant. */
const guardianInvite = z.object({ id: z.string(), email: z.string(), expiresAt: z.string() })
export type GuardianInvite = z.infer<typeof guardianInvite>

/** Second guardians of a child and open invites together. */
export const maxSecondGuardians = 3

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

const maxCodeLength = 60

/** The school's staff code; '' takes none. A code has 6 to 60 characters. */
export const staffCodeSetting = z.object({
  staffCode: z.string().check(
    z.trim(),
    z.normalize('NFKC'),
    z.maxLength(maxCodeLength, `A staff code has at most ${maxCodeLength} characters`),
    z.refine((code) => code === '' || code.length >= 6, 'A staff code has at least 6 characters'),
  ),
})

export const getStaffCode = endpoint('GET', '/api/settings/staff-code', { reply: staffCodeSetting })

export const saveStaffCode = endpoint('POST', '/api/settings/staff-code', {
  body: staffCodeSetting,
  reply: staffCodeSetting,
})

/** Adds a parent's own staff entry beside the children; asked again, it is the one that is there. */
export const addStaffEntry = endpoint('POST', '/api/user/staff-entry', {
  status: 201,
  body: z.object({
    code: nonEmpty('Enter the staff code').check(z.normalize('NFKC'), z.maxLength(maxCodeLength)),
  }),
  reply: student,
})

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
