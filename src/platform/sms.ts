/** One text message, known by its `id` (a UUID). `to` is a number in the international form, `+260971234567`. */
export type Sms = { id: string; writtenAt: Date; to: string; text: string }

/**
 * What came of handing over a message. `not-taken`: the gateway certainly has not got it; `forGood` when it never will
 * take it for this number. `unclear`: it may have sent it. `why` names neither the number nor the text.
 */
export type SmsAnswer =
  | { kind: 'taken' }
  | { kind: 'not-taken'; why: string; forGood: boolean }
  | { kind: 'unclear'; why: string }

/** Sends text messages. Answers within 15 s, whatever the gateway does, and never throws for what the gateway does. */
export type SmsGateway = { send: (sms: Sms) => Promise<SmsAnswer> }
