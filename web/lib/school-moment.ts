const inSchool = (options: Intl.DateTimeFormatOptions) =>
  // American English shortens every month to three letters; the Zambian "Sept" would not be found by "16 Sep".
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'Africa/Lusaka' })
const dayFormat = inSchool({ day: 'numeric', month: 'short', year: 'numeric' })
const clockFormat = inSchool({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The school's date of an ISO instant, short for tables and as filters find it: "16 Sep 2026". */
export const schoolDay = (instant: string): string => {
  const parts = dayFormat.formatToParts(new Date(instant))
  return ['day', 'month', 'year'].map((type) => parts.find((part) => part.type === type)?.value).join(' ')
}

/** The school's clock at an ISO instant: "09:05". */
export const schoolClock = (instant: string): string => clockFormat.format(new Date(instant))

// Swedish writes dates as ISO does.
const dateFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lusaka' })

/** The school's date of an ISO instant, as files sort it: "2026-09-16". */
export const schoolDate = (instant: string): string => dateFormat.format(new Date(instant))
