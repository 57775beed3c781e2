import * as z from 'zod/mini'
import { endpoint, nonEmpty } from './endpoint'
import { student } from './identity'

const longestCode = 60

/** The school's staff code; '' takes none. A code has 6 to 60 characters. */
export const staffCodeSetting = z.object({
  staffCode: z.string().check(
    z.trim(),
    z.normalize('NFKC'),
    z.maxLength(longestCode, `A staff code has at most ${longestCode} characters`),
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
    code: nonEmpty('Enter the staff code').check(z.normalize('NFKC'), z.maxLength(longestCode)),
  }),
  reply: student,
})
