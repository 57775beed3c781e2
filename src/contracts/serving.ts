import * as z from 'zod/mini'
import { endpoint, calendarDay } from './endpoint'
import { diet, tellApart } from './health'
import { grade } from './identity'

export const markKinds = ['given', 'absent', 'problem'] as const

const currentMark = z.object({
  markId: z.uuid(),
  kind: z.enum(markKinds),
  at: z.string(),
  by: z.string(),
  note: z.nullable(z.string()),
})
export type CurrentMark = z.infer<typeof currentMark>

const servedLunch = z.object({
  orderId: z.string(),
  student: z.string(),
  grade,
  class: z.nullable(z.string()),
  tellApart,
  menuItem: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  /** Null: not declared. Empty: none. */
  allergies: z.nullable(z.array(z.string())),
  diet,
  /** Null without consent or without a note. */
  medicalNote: z.nullable(z.string()),
  unpaid: z.boolean(),
  absent: z.boolean(),
  mark: z.nullable(currentMark),
})
export type ServedLunch = z.infer<typeof servedLunch>

/** Lunches of a date (default today) by grade, class and name; at most 10,000. `at`: last change of them or their marks. */
export const serving = endpoint('GET', '/api/serving', {
  etag: true,
  query: z.object({ date: z.optional(calendarDay) }),
  reply: z.object({ date: z.string(), at: z.nullable(z.string()), lunches: z.array(servedLunch) }),
})
export type Serving = z.infer<typeof serving.reply>

export const notCollected = endpoint('GET', '/api/serving/not-collected', {
  query: z.object({ date: z.optional(calendarDay) }),
  reply: z.object({
    date: z.string(),
    at: z.nullable(z.string()),
    classes: z.array(z.object({ class: z.string(), lunches: z.array(servedLunch) })),
  }),
})

/** `undoes` names the mark that `undone` takes back; `at` is the device's clock. */
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
  /** `already`: another mark says the same. `conflict`: another mark is in force. `refused`: see `code`. */
  result: z.enum(['kept', 'already', 'conflict', 'refused']),
  code: z.nullable(z.string()),
  other: z.nullable(z.object({ markId: z.uuid(), by: z.string(), at: z.string(), kind: z.enum(markKinds) })),
})
export type MarkResult = z.infer<typeof markResult>

/** Keeps marks in order, each once; a repeated markId answers its first result. A refused mark is not kept. A session keeps at most 20 marks of a lunch an hour. */
export const sendMarks = endpoint('POST', '/api/serving/marks', {
  body: z.object({
    marks: z
      .array(sentMark)
      .check(z.minLength(1, 'Send at least one mark'), z.maxLength(500, 'Send at most 500 marks at a time')),
  }),
  reply: z.object({ results: z.array(markResult) }),
})

/** Takes back all that a user (`by`: a username) marked of the lunches of a date; none of it counts to what a lunch keeps. */
export const takeMarksBack = endpoint('POST', '/api/serving/marks/take-back', {
  body: z.object({
    date: calendarDay,
    by: z.string().check(z.trim(), z.minLength(1, 'Name the user'), z.maxLength(120)),
  }),
  reply: z.object({ takenBack: z.number() }),
})
