import * as z from 'zod/mini'
import {
  emailAddress,
  givenPassword,
  newUsername,
  optionalEmail,
  optionalPhone,
  password,
  secondFactorCode,
} from './account-fields'
import {
  endpoint,
  idParam,
  messageReply,
  nonEmpty,
  personName,
  rowNumber,
  givenVersion,
  shownVersion,
} from './endpoint'

export const role = z.enum(['parent', 'teacher', 'admin'])
export type Role = z.infer<typeof role>

export const featureNames = [
  'menu',
  'kitchen',
  'cycles',
  'history',
  'live_orders',
  'revenue',
  'refunds',
  'admins',
  'parents_students',
  'settings',
  'order_recovery',
  'pending_payments',
] as const
export const featureName = z.enum(featureNames)
export type FeatureName = z.infer<typeof featureName>

export const gradeNames = ['ELC', 'K', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const
export const childGrade = z.enum(gradeNames, 'Please select a grade')
export const grades = [...gradeNames, 'teacher'] as const
export const grade = z.enum(grades)
export type Grade = z.infer<typeof grade>

/** Versions of the privacy notice; `accepted` is null for none. */
export const acceptedPrivacy = z.object({ accepted: z.nullable(z.int()), current: z.int() })

const user = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  role,
  isSuperadmin: z.boolean(),
  allowedFeatures: z.array(featureName),
  emailVerified: z.boolean(),
  mustChangePassword: z.boolean(),
  /** This session signed in with the password that must be changed: the change does not ask for it again. */
  passwordTyped: z.optional(z.literal(true)),
  secondFactor: z.boolean(),
  mustSetUpSecondFactor: z.boolean(),
  /** Contact the account must add before ordering; null for none. */
  contactNeeded: z.nullable(z.enum(['email', 'email_or_phone'])),
  privacy: acceptedPrivacy,
  ...shownVersion,
})
export type User = z.infer<typeof user>

export const privacyVersion = rowNumber()

export const beginSecondFactor = endpoint('POST', '/api/user/totp', {
  body: z.object({ currentPassword: givenPassword }),
  reply: z.object({ secret: z.string(), otpauthUrl: z.string() }),
})

/** Answers recovery codes, shown once; each works once. */
export const confirmSecondFactor = endpoint('POST', '/api/user/totp/confirm', {
  body: z.object({ code: secondFactorCode }),
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
})

export const endSecondFactor = endpoint('DELETE', '/api/user/totp', {
  body: z.object({ currentPassword: givenPassword, code: secondFactorCode }),
  reply: messageReply,
})

/** Of a mailed guardian invitation: the address that it was sent to is then verified, and the account's where it has none. */
const invite = z.optional(z.string().check(z.maxLength(100)))

export const currentUser = endpoint('GET', '/api/user', { reply: user })

export const login = endpoint('POST', '/api/login', {
  body: z.object({
    username: nonEmpty('Username is required'),
    password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(200)),
    /** Authenticator or recovery code; needed after `second_factor_required`. */
    code: z.optional(secondFactorCode),
    invite,
  }),
  reply: user,
})

export const register = endpoint('POST', '/api/register', {
  once: true,
  status: 201,
  body: z.object({
    username: newUsername('Username is required'),
    password,
    name: personName('First name is required'),
    email: optionalEmail,
    phone: optionalPhone,
    /** Claim code of a school letter. 422 `claim_code_wrong` creates no account. */
    code: z.optional(z.string().check(z.trim(), z.maxLength(20))),
    /** The version of the privacy notice that was shown and accepted. */
    privacyVersion: z.optional(privacyVersion),
    invite,
  }),
  reply: user,
})

export const logout = endpoint('POST', '/api/logout', { reply: messageReply })

export const forgotPassword = endpoint('POST', '/api/auth/forgot-password', {
  body: z.object({ identifier: nonEmpty('Username or email is required').check(z.maxLength(200)) }),
  reply: messageReply,
})

const openSession = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Accurate to five minutes. */
  lastUsedAt: z.iso.datetime(),
  device: z.string(),
})

export const listSessions = endpoint('GET', '/api/user/sessions', { reply: z.array(openSession) })

export const endSession = endpoint('DELETE', '/api/user/sessions/:id', {
  params: z.object({ id: z.uuid() }),
  reply: messageReply,
})

/** 409 when there is no email to verify. */
export const sendVerification = endpoint('POST', '/api/user/verification-mail', { reply: messageReply })

export const verifyEmail = endpoint('POST', '/api/email-verification', {
  body: z.object({ token: z.string().check(z.maxLength(1000)) }),
  reply: messageReply,
})

export const convertToTeacher = endpoint('POST', '/api/user/convert-to-teacher', { reply: messageReply })

export const passwordConfirmationMessage =
  "Password confirmation doesn't match or current password is required"

const profile = z
  .object({
    name: personName('Name is required'),
    email: optionalEmail,
    phone: optionalPhone,
    currentPassword: z.optional(z.string().check(z.maxLength(200))),
    newPassword: z.optional(z.union([z.literal(''), password])),
    confirmPassword: z.optional(z.string().check(z.normalize('NFC'), z.maxLength(200))),
    ...givenVersion,
  })
  .check(
    z.refine(
      (form) =>
        !form.newPassword || (form.currentPassword !== '' && form.newPassword === form.confirmPassword),
      { message: passwordConfirmationMessage, path: ['confirmPassword'] },
    ),
  )

export const updateProfile = endpoint('PUT', '/api/profile', { body: profile, reply: user })

export const student = z.object({
  id: z.number(),
  name: z.string(),
  grade,
  class: z.nullable(z.string()),
  admissionNumber: z.nullable(z.string()),
  parent_id: z.number(),
  parentId: z.number(),
  ...shownVersion,
})
export type Student = z.infer<typeof student>

export const heldStudent = z.extend(student, {
  parent_id: z.nullable(z.number()),
  parentId: z.nullable(z.number()),
})
export type HeldStudent = z.infer<typeof heldStudent>

const studentFields = { name: personName('Name is required'), grade: childGrade }

export const listStudents = endpoint('GET', '/api/students', { reply: z.array(student) })

/** Classes of the children at the school, at most 500. */
export const listClasses = endpoint('GET', '/api/classes', { reply: z.object({ data: z.array(z.string()) }) })

/** A parent adds to their own account, whatever id is sent; an administrator names the parent. */
export const addStudent = endpoint('POST', '/api/students', {
  once: true,
  status: 201,
  body: z.object({
    ...studentFields,
    parent_id: z.optional(rowNumber()),
    parentId: z.optional(rowNumber()),
  }),
  reply: student,
})

const onTheRoll = (most: number, message: string) =>
  z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(most, message))))

/** A lunch of the old grade's menu: it stays, but could not be ordered again. */
const affectedOrder = z.object({ orderId: z.string(), date: z.string(), menuItem: z.string() })
export type AffectedOrder = z.infer<typeof affectedOrder>

/** Parents edit name and grade. Absent keeps, '' clears. `affectedOrders`: future orders that do not fit the new grade (at most 500). */
export const updateStudent = endpoint('PUT', '/api/students/:id', {
  params: idParam,
  body: z.object({
    ...studentFields,
    class: onTheRoll(20, 'A class has at most 20 characters'),
    admissionNumber: onTheRoll(40, 'An admission number has at most 40 characters'),
    ...givenVersion,
  }),
  reply: z.extend(heldStudent, { affectedOrders: z.array(affectedOrder) }),
})

export const deleteStudent = endpoint('DELETE', '/api/students/:id', { params: idParam, reply: messageReply })

/** Public facts before sign-in; `now` corrects devices with a wrong clock. */
export const portal = endpoint('GET', '/api/portal', {
  reply: z.object({
    schoolName: z.string(),
    timezone: z.string(),
    demo: z.boolean(),
    now: z.string(),
    makerUrl: z.optional(z.string()),
  }),
})

export const communicationSettings = z.object({
  supportEmail: z.union(
    [z.literal(''), emailAddress('Please enter a valid email address')],
    'Please enter a valid email address',
  ),
  whatsappNumber: z.string().check(z.trim(), z.maxLength(40)),
})

const shownCommunication = z.extend(communicationSettings, shownVersion)

export const getCommunication = endpoint('GET', '/api/settings/communication', { reply: shownCommunication })

const wholeUpTo = (most: number) => {
  const words = `Enter a whole number from 1 to ${most.toLocaleString('en')}`
  return z.int(words).check(z.minimum(1, words), z.maximum(most, words))
}

export const securitySettings = z.object({
  requireSecondFactor: z.boolean(),
  maxChildren: wholeUpTo(100),
  maxUnpaidMeals: wholeUpTo(1000),
})

const shownSecurity = z.extend(securitySettings, shownVersion)

export const getSecurity = endpoint('GET', '/api/settings/security', { reply: shownSecurity })

export const saveSecurity = endpoint('POST', '/api/settings/security', {
  body: z.extend(securitySettings, givenVersion),
  reply: shownSecurity,
})

export const saveCommunication = endpoint('POST', '/api/settings/communication', {
  body: z.extend(communicationSettings, givenVersion),
  reply: shownCommunication,
})

export const contactMessage = z.object({
  name: personName('Name is required'),
  email: emailAddress('Please enter a valid email address'),
  message: z
    .string()
    .check(z.trim(), z.minLength(10, 'Message must be at least 10 characters long'), z.maxLength(5000)),
})

export const contact = endpoint('POST', '/api/contact/email', {
  once: true,
  body: contactMessage,
  reply: messageReply,
})

export const shortUsername = 'Username must be at least 3 characters'

export const createAdmin = endpoint('POST', '/api/admin-users', {
  once: true,
  status: 201,
  body: z.object({
    username: newUsername(shortUsername).check(z.minLength(3, shortUsername)),
    password,
    allowedFeatures: z.array(featureName),
  }),
  reply: z.object({ id: z.number(), username: z.string(), role, allowedFeatures: z.array(featureName) }),
})
