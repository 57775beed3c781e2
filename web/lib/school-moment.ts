const inSchool = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-ZM', { ...options, timeZone: 'Africa/Lusaka' })
const dayFormat = inSchool({ day: 'numeric', month: 'short', year: 'numeric' })
const clockFormat = inSchool({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The school's date of an ISO instant, short for tables: "16 Sept 2026". */
export const schoolDay = (instant: string): string => dayFormat.format(new Date(instant))

/** The school's clock at an ISO instant: "09:05". */
export const schoolClock = (instant: string): string => clockFormat.format(new Date(instant))
