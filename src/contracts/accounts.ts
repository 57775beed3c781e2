import * as z from 'zod/mini'
import { newUsername, optionalEmail, optionalPhone, password, emailAddress } from './account-fields'
import {
  endpoint,
  idParam,
  messageReply,
  pageMetadata,
  personName,
  rowNumber,
  wholeNumber,
  direction,
  numberUpTo,
  searchText,
  nonEmpty,
  givenVersion,
  listWrite,
  shownVersion,
} from './endpoint'
import { role, shortUsername, student, featureName } from './identity'

const parent = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  role,
  students: z.array(student),
  ...shownVersion,
})
export type Parent = z.infer<typeof parent>

const minSearchLength = 3
const searchTooShort = 'Please enter at least 3 characters to search'

export const parentSorts = ['name', 'username', 'newest'] as const
export type ParentSort = (typeof parentSorts)[number]

/** 50 a page, at most 100, by name. `search` matches username, name, email, phone and students' names. */
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

export const createParent = endpoint('POST', '/api/parents', {
  once: true,
  status: 201,
  body: newParent,
  reply: parent,
})

/** A blank password leaves the old one; a new one signs the parent out everywhere, who is told of it and must choose another. */
export const changedParent = z.object({
  ...fields,
  ...givenVersion,
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

/** `giveUp` repeats the account's username: the family waives what is still owed to it. */
const deletionQuery = z.object({ ...forceQuery.shape, giveUp: z.optional(z.string().check(z.maxLength(60))) })

/** 409 `canForce` with orders or open payments, which `force` cancels (DESIGN section 4). 409 `credit_left` (kwacha) while money is due. */
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

export const searchUsers = endpoint('GET', '/api/users/search', {
  query: z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(100)) }),
  reply: z.object({
    users: z.array(
      z.object({
        id: z.number(),
        username: z.string(),
        children: z.array(z.object({ id: z.number(), name: z.string() })),
      }),
    ),
  }),
})

/** `first` is true for the account that owns the child; a child has exactly one, and at most three others. */
export const guardian = z.object({ userId: z.number(), name: z.string(), first: z.boolean() })
export type Guardian = z.infer<typeof guardian>

/** Without an email whoever has its code accepts. */
const guardianInvite = z.object({ id: z.string(), email: z.nullable(z.string()), expiresAt: z.string() })
export type GuardianInvite = z.infer<typeof guardianInvite>

/** Counts second guardians and open invites together. */
export const maxSecondGuardians = 3

export const listGuardians = endpoint('GET', '/api/students/:id/guardians', {
  params: idParam,
  reply: z.object({ guardians: z.array(guardian), invites: z.array(guardianInvite) }),
})

const guardianInviteForm = z.object({
  email: z.optional(emailAddress('Please enter a valid email address')),
  /** Further own children that the invitation is for. */
  studentIds: z.optional(z.array(rowNumber()).check(z.maxLength(100))),
})

/**
 * For the first guardian only. Inviting the same address again replaces the link. `code` and `link` are for sharing: with an email its account
 * accepts by them once the address is verified, without one whoever has them, once. The mail holds a link of its own, which proves the address.
 */
export const inviteGuardian = endpoint('POST', '/api/students/:id/guardians/invite', {
  once: true,
  status: 201,
  params: idParam,
  body: guardianInviteForm,
  reply: z.extend(guardianInvite, { code: z.string(), link: z.string() }),
})
export type SharedInvite = z.infer<(typeof inviteGuardian)['reply']>

/** Takes the child out of the invitation. */
export const withdrawInvite = endpoint('DELETE', '/api/students/:id/guardians/invites/:inviteId', {
  params: z.object({ ...idParam.shape, inviteId: z.uuid() }),
  reply: messageReply,
})

/** For the first guardian, the second guardian themselves and the office. The first guardian cannot be removed. */
export const removeGuardian = endpoint('DELETE', '/api/students/:id/guardians/:userId', {
  params: z.object({ ...idParam.shape, userId: wholeNumber }),
  reply: messageReply,
})

/** The mailed token, the code, or the id of one that waits for the caller's verified address. */
const inviteParam = z.object({ idOrCode: z.string().check(z.maxLength(100)) })

const invitedBy = z.object({ name: z.string() })

/** Those that wait for the caller's verified address, newest first, at most 20; `children` are first names. */
export const waitingInvites = endpoint('GET', '/api/guardian-invites', {
  reply: z.array(
    z.object({ id: z.string(), children: z.array(z.string()), invitedBy, expiresAt: z.string() }),
  ),
})
export type WaitingInvite = z.infer<(typeof waitingInvites)['reply']>[number]

/** For the account that is invited; changes nothing. Refuses as accepting would. `student` is the first of `students`. */
export const getGuardianInvite = endpoint('GET', '/api/guardian-invites/:idOrCode', {
  params: inviteParam,
  reply: z.object({
    student: z.object({ name: z.string() }),
    students: z.array(z.object({ name: z.string() })),
    invitedBy,
    expiresAt: z.string(),
  }),
})
export type ShownInvite = z.infer<(typeof getGuardianInvite)['reply']>

/** For all its children; answers the first, and all as `students`. */
export const acceptGuardianInvite = endpoint('POST', '/api/guardian-invites/:idOrCode/accept', {
  params: inviteParam,
  reply: z.extend(student, { students: z.array(student) }),
})

const maxCodeLength = 60

export const staffCodeSetting = z.object({
  staffCode: z.string().check(
    z.trim(),
    z.normalize('NFKC'),
    z.maxLength(maxCodeLength, `A staff code has at most ${maxCodeLength} characters`),
    z.refine((code) => code === '' || code.length >= 6, 'A staff code has at least 6 characters'),
  ),
})

export const getStaffCode = endpoint('GET', '/api/settings/staff-code', {
  reply: z.extend(staffCodeSetting, shownVersion),
})

export const saveStaffCode = endpoint('POST', '/api/settings/staff-code', {
  body: z.extend(staffCodeSetting, givenVersion),
  reply: z.extend(staffCodeSetting, shownVersion),
})

/** Repeatable: answers the entry that exists. */
export const addStaffEntry = endpoint('POST', '/api/user/staff-entry', {
  status: 201,
  body: z.object({
    code: nonEmpty('Enter the staff code').check(z.normalize('NFKC'), z.maxLength(maxCodeLength)),
  }),
  reply: student,
})

const adminUser = z.object({
  id: z.number(),
  username: z.string(),
  role,
  allowedFeatures: z.array(featureName),
  isSuperadmin: z.boolean(),
  disabled: z.boolean(),
  secondFactor: z.boolean(),
  allowed: z.object({
    features: z.array(featureName),
    changePassword: z.boolean(),
    disable: z.boolean(),
    removeSecondFactor: z.boolean(),
  }),
  ...shownVersion,
})
export type AdminUser = z.infer<typeof adminUser>

/** Superadmin first, then by username; at most 500. */
export const listAdmins = endpoint('GET', '/api/admin-users', { reply: z.array(adminUser) })

export const adminSorts = ['rank', 'username', 'features', 'created'] as const
export type AdminSort = (typeof adminSorts)[number]

/** 50 a page, superadmin first, then by username. `search` matches the username; `feature` keeps those who hold it. */
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

export const setPermissions = endpoint('PUT', '/api/admin-users/:id/permissions', {
  params: idParam,
  body: listWrite('features', z.array(featureName).check(z.maxLength(50))),
  reply: adminUser,
})

export const setAdminStatus = endpoint('PUT', '/api/admin-users/:id/status', {
  params: idParam,
  body: z.object({ disabled: z.boolean(), ...givenVersion }),
  reply: adminUser,
})

export const removeSecondFactor = endpoint('DELETE', '/api/admin-users/:id/totp', {
  params: idParam,
  reply: messageReply,
})

export const newPassword = z.object({
  password,
  currentPassword: z.optional(z.string().check(z.maxLength(200))),
})

/** Signs the user out everywhere, who is told of it and must choose another. */
export const setPassword = endpoint('PUT', '/api/users/:id/password', {
  params: idParam,
  body: newPassword,
  reply: messageReply,
})
