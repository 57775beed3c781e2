// Default until the server tells the zone.
let zone = 'Africa/Lusaka'
// True once the server told the time to this page.
let isTold = false

/** IANA name. */
export const setSchoolZone = (name: string): void => {
  zone = name
}

// School clock minus device clock in ms.
let aheadMs = 0

/** The server's time at `deviceMs`: device clocks are often wrong. */
export const setSchoolNow = (now: string, deviceMs: number = Date.now()): void => {
  aheadMs = Date.parse(now) - deviceMs
  isTold = true
}

/** The header of every answer of the server with the instant that it was by the school's clock. */
export const schoolTimeHeader = 'School-Time'

/** Server time between two device moments (ms). A clock within the bounds stays: a quicker answer may have set it. */
export const hearSchoolTime = (now: string | null, askedMs: number, answeredMs: number): void => {
  const at = Date.parse(now ?? '')
  if (Number.isNaN(at)) return
  const isKnown = isTold && aheadMs >= at - answeredMs && aheadMs <= at - askedMs
  if (!isKnown) setSchoolNow(new Date(at).toISOString(), (askedMs + answeredMs) / 2)
}

/** IANA zone and lead over the device in ms. */
export type SchoolClock = { timeZone: string; aheadMs: number }

export const readSchoolClock = (): SchoolClock => ({ timeZone: zone, aheadMs })

/** From an earlier visit; the server's own word to this page wins. */
export const recallSchoolClock = (clock: SchoolClock): void => {
  if (isTold) return
  zone = clock.timeZone
  aheadMs = clock.aheadMs
}

/** Null until the server told the time. */
export const knownSchoolDate = (): string | null => (isTold ? schoolDate(schoolNow()) : null)

/** Now, or at `deviceMs`. */
export const schoolNow = (deviceMs: number = Date.now()): string => new Date(deviceMs + aheadMs).toISOString()

const schoolZone = (): string => zone

/** Lazy; falls back to the device's zone where the browser lacks the school's. */
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

// American months have three letters; "Sept" would not match "16 Sep".
const shortDay = inSchool('en-US', { day: 'numeric', month: 'short', year: 'numeric' })
const clock = inSchool('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
// Swedish dates are ISO.
const isoDate = inSchool('sv-SE', {})
const dayAndClock = inSchool('en-ZM', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** "16 Sep 2026", as filters find it. */
export const schoolDay = (instant: string): string => {
  const { format, date } = shortDay(instant)
  const parts = format.formatToParts(date)
  return ['day', 'month', 'year'].map((type) => parts.find((part) => part.type === type)?.value).join(' ')
}

const written = ({ format, date }: ReturnType<typeof clock>) => format.format(date)

/** "09:05". */
export const schoolClock = (instant: string): string => written(clock(instant))

/** "2026-09-16". */
export const schoolDate = (instant: string): string => written(isoDate(instant))

/** "16 September 2026 at 09:05". */
export const dateAndTime = (instant: string): string => {
  const moment = dayAndClock(instant)
  return Number.isNaN(moment.date.getTime()) ? 'Invalid date' : written(moment)
}
