// The server's own default, until it has said which zone the school lives in.
let zone = 'Africa/Lusaka'

/** Takes the school's time zone from the server, an IANA name. */
export const keepSchoolZone = (name: string): void => {
  zone = name
}

/** The time zone that the school lives in, an IANA name. */
export const schoolZone = (): string => zone
