import * as z from 'zod/mini'
import { emailAddress } from './account-fields'
import { endpoint, messageReply, givenVersion, shownVersion } from './endpoint'

const messageChannels = ['mail', 'sms', 'both'] as const

/** Contact preferences (families.md section 5). */
const userMessages = z.object({
  channel: z.enum(messageChannels),
  reminders: z.boolean(),
})
export type UserMessages = z.infer<typeof userMessages>

const shownMessages = z.extend(userMessages, {
  smsOffered: z.boolean(),
  phoneVerified: z.boolean(),
  /** Expiry of the code sent to the phone; null when none is valid. */
  codeUntil: z.nullable(z.iso.datetime()),
  goesTo: z.array(z.enum(['mail', 'sms'])),
  remindersOffered: z.boolean(),
  ...shownVersion,
})
export type ShownMessages = z.infer<typeof shownMessages>

export const getUserMessages = endpoint('GET', '/api/user/messages', { reply: shownMessages })

export const saveUserMessages = endpoint('PUT', '/api/user/messages', {
  body: z.extend(userMessages, givenVersion),
  reply: shownMessages,
})

export const verifyPhone = endpoint('POST', '/api/user/phone/verify', { reply: messageReply })

export const confirmPhone = endpoint('POST', '/api/user/phone/confirm', {
  body: z.object({
    code: z.string().check(
      z.overwrite((code) => code.replaceAll(/[\s-]/g, '')),
      z.regex(/^\d{6}$/, 'Enter the 6 digits'),
    ),
  }),
  reply: messageReply,
})

/** Public: called from a reminder's link without sign-in. */
export const stopReminders = endpoint('POST', '/api/reminders/stop', {
  body: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: messageReply,
})

const wholeSms = 'Enter a whole number from 1 to 100,000'

const reportAddresses = z
  .array(emailAddress('Please enter valid email addresses'))
  .check(z.maxLength(10, 'At most 10 addresses'))

export const messageSettingsFields = z.object({
  sms: z.boolean(),
  /** SMS per school day; a tenth is kept for temporary passwords. Required while SMS are on. */
  dailyCeiling: z.nullable(z.int(wholeSms).check(z.minimum(1, wholeSms), z.maximum(100_000, wholeSms))),
  otherCountries: z.optional(z.boolean()),
  /** A verified phone replaces the email address for ordering. */
  orderWithPhone: z.boolean(),
  reminders: z.boolean(),
  /** Who gets the mail of 06:30; absent leaves it. */
  dailyReport: z.optional(reportAddresses),
  /** Who gets the report of the week on Mondays at 06:30; absent leaves it. */
  headReport: z.optional(reportAddresses),
})
const messageSettings = z.extend(messageSettingsFields, givenVersion).check(
  z.refine(({ sms, dailyCeiling }) => !sms || dailyCeiling !== null, {
    message: 'Enter the most SMS the school pays for per day',
    path: ['dailyCeiling'],
  }),
)
export type MessageSettings = z.infer<typeof messageSettingsFields>

const shownMessageSettings = z.extend(messageSettingsFields, {
  otherCountries: z.boolean(),
  dailyReport: z.array(z.string()),
  headReport: z.array(z.string()),
  smsAvailable: z.boolean(),
  /** Handed to the gateway today (school day) and in the last 30 days. */
  sentToday: z.int(),
  sentIn30Days: z.int(),
  ...shownVersion,
})
export type ShownMessageSettings = z.infer<typeof shownMessageSettings>

export const getMessageSettings = endpoint('GET', '/api/settings/messages', { reply: shownMessageSettings })

export const saveMessageSettings = endpoint('POST', '/api/settings/messages', {
  body: messageSettings,
  reply: shownMessageSettings,
})
