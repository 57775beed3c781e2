import * as z from 'zod/mini'
import { wholeNumber } from './endpoint'

export const directions = ['asc', 'desc'] as const
export const direction = z.enum(directions)
export type Direction = z.infer<typeof direction>

/** A whole number from 1 to `most`, written in a query. */
export const numberUpTo = (most: number) => z.pipe(wholeNumber, z.number().check(z.gte(1), z.lte(most)))

/** Yes or no, written in a query. */
export const yesOrNo = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)

/** What is looked for in a list; '' looks for nothing. */
export const searchText = z.string().check(z.trim(), z.maxLength(100))

/** A real date of our centuries, `YYYY-MM-DD`: calendars and time zones are not to be trusted at the ends of time. */
export const calendarDay = z.string().check(
  z.refine((text) => {
    const at = /^(?:19|2[01])\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN
    return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  }, 'Not a day of the calendar'),
)
