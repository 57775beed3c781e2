// The server's own default, until it has said which zone the school lives in.
let zone = 'Africa/Lusaka'
// Whether the server itself has said, since this page was opened, what time it is.
let isTold = false

/** Takes the school's time zone from the server, an IANA name. */
export const setSchoolZone = (name: string): void => {
  zone = name
}

// How far the school's clock is ahead of the device's, in ms, until the server has said more.
let aheadMs = 0

/** Takes from the server what time it was, an ISO instant, when the device's clock showed `deviceMs`: devices are often wrong. */
export const setSchoolNow = (now: string, deviceMs: number = Date.now()): void => {
  aheadMs = Date.parse(now) - deviceMs
  isTold = true
}

/** The header of every answer of the server with the instant that it was by the school's clock. */
export const schoolTimeHeader = 'School-Time'

/**
 * Takes from an answer of the server what time it was between two moments of the device's clock (ms), when it was asked
 * for and when it came. A clock that fits between them stays: it may have been set by a quicker answer.
 */
export const hearSchoolTime = (now: string | null, askedMs: number, answeredMs: number): void => {
  const at = Date.parse(now ?? '')
  if (Number.isNaN(at)) return
  const isKnown = isTold && aheadMs >= at - answeredMs && aheadMs <= at - askedMs
  if (!isKnown) setSchoolNow(new Date(at).toISOString(), (askedMs + answeredMs) / 2)
}

/** How the school's clock goes: its zone, an IANA name, and how far it is ahead of the device's, in ms. */
export type SchoolClock = { timeZone: string; aheadMs: number }

export const readSchoolClock = (): SchoolClock => ({ timeZone: zone, aheadMs })

/** Takes how the school's clock went when the server was last heard; what it said to this page itself counts more. */
export const recallSchoolClock = (clock: SchoolClock): void => {
  if (isTold) return
  zone = clock.timeZone
  aheadMs = clock.aheadMs
}

/** The school's date, `YYYY-MM-DD`, where the server has said to this page what time it is; else null. */
export const toldSchoolDate = (): string | null => (isTold ? schoolDate(schoolNow()) : null)

/** The ISO instant that it is by the school's clock, now or when the device's clock showed `deviceMs`. */
export const schoolNow = (deviceMs: number = Date.now()): string => new Date(deviceMs + aheadMs).toISOString()

/** The time zone that the school lives in, an IANA name. */
const schoolZone = (): string => zone

/** A format by the school's clock, made when it is first used; by the device's where the browser has no such zone. */
const inSchool = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const made = new Map<string, Intl.DateTimeFormat>()
  const make = (timeZone: string) => {
    try {
      return new Intl.DateTimeFormat(locale, { ...options, timeZone })
    } catch {
      return new Intl.DateTimeFormat(locale, options)
    }
  }
  return (instant: string): { format: Intl.DateTimeFormat; date: Date } => {
    const zone = schoolZone()
    const format = made.get(zone) ?? make(zone)
    made.set(zone, format)
    return { format, date: new Date(instant) }
  }
}

// American English shortens every month to three letters; the Zambian "Sept" would not be found by "16 Sep".
const shortDay = inSchool('en-US', { day: 'numeric', month: 'short', year: 'numeric' })
const clock = inSchool('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
// Swedish writes dates as ISO does.
const isoDate = inSchool('sv-SE', {})
const dayAndClock = inSchool('en-ZM', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** The school's date of an ISO instant, short for tables and as filters find it: "16 Sep 2026". */
export const schoolDay = (instant: string): string => {
  const { format, date } = shortDay(instant)
  const parts = format.formatToParts(date)
  return ['day', 'month', 'year'].map((type) => parts.find((part) => part.type === type)?.value).join(' ')
}

const written = ({ format, date }: ReturnType<typeof clock>) => format.format(date)

/** The school's clock at an ISO instant: "09:05". */
export const schoolClock = (instant: string): string => written(clock(instant))

/** The school's date of an ISO instant, as files sort it: "2026-09-16". */
export const schoolDate = (instant: string): string => written(isoDate(instant))

/** An ISO instant as the school's clock showed it: "16 September 2026 at 09:05". */
export const dateAndTime = (instant: string): string => {
  const moment = dayAndClock(instant)
  return Number.isNaN(moment.date.getTime()) ? 'Invalid date' : written(moment)
}
