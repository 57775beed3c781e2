import * as z from 'zod/mini'
import { endpoint, calendarDay } from './endpoint'
import { diet } from './health'
import { grade } from './identity'

export const markKinds = ['given', 'absent', 'problem'] as const

/** What the hatch says of a lunch now. */
const standingMark = z.object({
  markId: z.uuid(),
  kind: z.enum(markKinds),
  /** When it was made, by the device's clock; an ISO instant. */
  at: z.string(),
  /** The name of who made it. */
  by: z.string(),
  note: z.nullable(z.string()),
})
export type StandingMark = z.infer<typeof standingMark>

const servedLunch = z.object({
  orderId: z.string(),
  student: z.string(),
  grade,
  /** The name of the class, where children have one. */
  class: z.nullable(z.string()),
  menuItem: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  /** Null: not declared. Empty: none. */
  allergies: z.nullable(z.array(z.string())),
  diet,
  /** Null without the family's consent, or without a note. */
  medicalNote: z.nullable(z.string()),
  unpaid: z.boolean(),
  /** The family said that the child is ill. */
  absent: z.boolean(),
  mark: z.nullable(standingMark),
})
export type ServedLunch = z.infer<typeof servedLunch>

/**
 * The lunches to hand out on a date, today without one, by grade from the smallest to staff, class and name; at most
 * 10,000. `at`: when they or their marks last changed; null when there are none.
 */
export const serving = endpoint('GET', '/api/serving', {
  etag: true,
  query: z.object({ date: z.optional(calendarDay) }),
  reply: z.object({ date: z.string(), at: z.nullable(z.string()), lunches: z.array(servedLunch) }),
})
export type Serving = z.infer<typeof serving.reply>

/** The lunches of a date that were not given, by class, or by grade where there is none. */
export const notCollected = endpoint('GET', '/api/serving/not-collected', {
  query: z.object({ date: z.optional(calendarDay) }),
  reply: z.object({
    date: z.string(),
    at: z.nullable(z.string()),
    classes: z.array(z.object({ class: z.string(), lunches: z.array(servedLunch) })),
  }),
})

/** A mark as a device sends it. `undoes` names the mark that an `undone` takes back; `at` is the device's clock. */
const sentMark = z.object({
  markId: z.uuid(),
  orderId: z.string().check(z.maxLength(60)),
  kind: z.enum([...markKinds, 'undone']),
  undoes: z.optional(z.nullable(z.uuid())),
  at: z.iso.datetime({ offset: true }),
  note: z.optional(
    z.nullable(z.string().check(z.trim(), z.maxLength(200, 'A note can have at most 200 characters'))),
  ),
})
export type SentMark = z.infer<typeof sentMark>

const markResult = z.object({
  markId: z.uuid(),
  /**
   * `kept`: it stands. `already`: the same was told by another mark. `conflict`: another mark stands. `refused`: it cannot
   * be, `code` says why.
   */
  result: z.enum(['kept', 'already', 'conflict', 'refused']),
  code: z.nullable(z.string()),
  /** The mark that stands instead. */
  other: z.nullable(z.object({ markId: z.uuid(), by: z.string(), at: z.string(), kind: z.enum(markKinds) })),
})
export type MarkResult = z.infer<typeof markResult>

/** Keeps each mark once, in the order given; a markId that is kept answers its first result again. A refused one is not kept. */
export const sendMarks = endpoint('POST', '/api/serving/marks', {
  body: z.object({
    marks: z
      .array(sentMark)
      .check(z.minLength(1, 'Send at least one mark'), z.maxLength(500, 'Send at most 500 marks at a time')),
  }),
  reply: z.object({ results: z.array(markResult) }),
})
