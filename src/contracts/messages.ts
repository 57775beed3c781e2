import * as z from 'zod/mini'
import { endpoint, messageReply } from './endpoint'

const messageChannels = ['mail', 'sms', 'both'] as const

/** How a user wants to be written to (families.md section 5). */
const userMessages = z.object({
  channel: z.enum(messageChannels),
  /** Whether a reminder comes where nothing is ordered for next week. */
  reminders: z.boolean(),
})
export type UserMessages = z.infer<typeof userMessages>

const shownMessages = z.extend(userMessages, {
  /** Whether the school sends SMS at all. */
  smsOffered: z.boolean(),
  /** Whether the account's phone number is known to be its owner's. */
  phoneVerified: z.boolean(),
  /** Until when the code counts that was sent to the phone; null: none does, another has to be asked for. */
  codeUntil: z.nullable(z.iso.datetime()),
  /** On which channels a message goes out as things are; none: nothing reaches the user. */
  goesTo: z.array(z.enum(['mail', 'sms'])),
  /** Whether the school reminds this user at all. */
  remindersOffered: z.boolean(),
})
export type ShownMessages = z.infer<typeof shownMessages>

export const getUserMessages = endpoint('GET', '/api/user/messages', { reply: shownMessages })

export const saveUserMessages = endpoint('PUT', '/api/user/messages', {
  body: userMessages,
  reply: shownMessages,
})

/** Sends six digits to the account's phone. */
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

/** The link of a reminder: nobody signs in for it, and only this call changes something. */
export const stopReminders = endpoint('POST', '/api/reminders/stop', {
  body: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: messageReply,
})

/** What the school sends beside mail; off until it is set. */
const wholeSms = 'Enter a whole number from 1 to 100,000'

const settingsFields = z.object({
  sms: z.boolean(),
  /** How many SMS a day of the school may cost; a tenth of them is kept for temporary passwords. Demanded while SMS are on. */
  dailyCeiling: z.nullable(z.int(wholeSms).check(z.minimum(1, wholeSms), z.maximum(100_000, wholeSms))),
  /** SMS go to numbers of other countries than Zambia (+260) too; absent leaves it, false until it is set. */
  otherCountries: z.optional(z.boolean()),
  /** Whoever has a verified phone needs no e-mail address to order. */
  orderWithPhone: z.boolean(),
  reminders: z.boolean(),
})
const messageSettings = settingsFields.check(
  z.refine(({ sms, dailyCeiling }) => !sms || dailyCeiling !== null, {
    message: 'Enter how many SMS a day the school pays for at most',
    path: ['dailyCeiling'],
  }),
)
export type MessageSettings = z.infer<typeof messageSettings>

/** Beside the settings what they cost. */
const shownMessageSettings = z.extend(settingsFields, {
  otherCountries: z.boolean(),
  /** Whether this installation has an SMS gateway. */
  smsAvailable: z.boolean(),
  /** How many SMS were handed to the gateway on this day of the school, and on the last 30. */
  sentToday: z.int(),
  sentIn30Days: z.int(),
})
export type ShownMessageSettings = z.infer<typeof shownMessageSettings>

export const getMessageSettings = endpoint('GET', '/api/settings/messages', { reply: shownMessageSettings })

export const saveMessageSettings = endpoint('POST', '/api/settings/messages', {
  body: messageSettings,
  reply: shownMessageSettings,
})
