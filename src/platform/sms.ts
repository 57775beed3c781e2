/** `id` (UUID) identifies the message; `to` is international, `+260971234567`. */
export type Sms = { id: string; writtenAt: Date; to: string; text: string }

/** `not-taken`: surely not sent; `forGood` when this number never works. `unclear`: perhaps sent. `why` names neither number nor text. */
export type SmsAnswer =
  | { kind: 'taken' }
  | { kind: 'not-taken'; why: string; forGood: boolean }
  | { kind: 'unclear'; why: string }

/** Answers within 15 s; never throws for the gateway. */
export type SmsGateway = { send: (sms: Sms) => Promise<SmsAnswer> }
