import * as z from 'zod/mini'
import { endpoint, idParam, messageReply, pageMetadata, personName, wholeNumber } from './endpoint'
import { newUsername, optionalEmail, optionalPhone, password, role, shortUsername, student } from './identity'
import { direction, numberUpTo, searchText } from './sorting'

/** A parent (or teacher) with their students, as Parents & Students lists them (administrator.md section 3). */
const parent = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  role,
  students: z.array(student),
})
export type Parent = z.infer<typeof parent>

const shortestSearch = 3
const searchTooShort = 'Please enter at least 3 characters to search'

export const parentSorts = ['name', 'username', 'newest'] as const
export type ParentSort = (typeof parentSorts)[number]

/**
 * 50 a page unless asked otherwise, at most 100, by name unless asked otherwise; `newest` begins with who came last.
 * `search` is found in username, name, e-mail, phone and the students' names, without regard to case.
 */
export const listParents = endpoint('GET', '/api/parents', {
  query: z.object({
    page: z.optional(wholeNumber),
    limit: z.optional(numberUpTo(100)),
    search: z.optional(
      searchText.check(z.refine((text) => text === '' || text.length >= shortestSearch, searchTooShort)),
    ),
    sort: z.optional(z.enum(parentSorts)),
    direction: z.optional(direction),
  }),
  reply: z.object({ data: z.array(parent), metadata: pageMetadata }),
})

const fields = {
  username: newUsername(shortUsername).check(z.minLength(3, shortUsername)),
  name: z.optional(z.union([z.literal(''), personName('Name is required')])),
  email: optionalEmail,
  phone: optionalPhone,
}
const passwordNeeded = 'Password is required when creating a new parent'

export const newParent = z.object({
  ...fields,
  password: z.pipe(z._default(z.string(), '').check(z.minLength(1, passwordNeeded)), password),
})

export const createParent = endpoint('POST', '/api/parents', { status: 201, body: newParent, reply: parent })

/** A blank password stays what it is; a new one signs the parent out everywhere. */
export const changedParent = z.object({
  ...fields,
  password: z.optional(
    z.string().check(
      z.maxLength(200),
      z.refine(
        (text) => text === '' || text.length >= 6,
        'Password must be at least 6 characters when provided',
      ),
    ),
  ),
})

export const updateParent = endpoint('PUT', '/api/parents/:id', {
  params: idParam,
  body: changedParent,
  reply: parent,
})

const forceQuery = z.object({ force: z.optional(z.enum(['true', 'false'])) })

/** `giveUp` is the account's username: what it is still owed is wanted by nobody any more. */
const deletionQuery = z.object({ ...forceQuery.shape, giveUp: z.optional(z.string().check(z.maxLength(60))) })

/**
 * Removes the account and its students. With orders it answers 409 with `canForce`, `orderCount`, `mealsInPayment` (meals that
 * are being paid for and are no order yet) and `details`;
 * forced, these are cancelled and what was paid for them is owed back (DESIGN section 4). With credit or money owed from before it
 * answers 409 `credit_left` with `creditBalance` (held credit among it) and `owed`, in kwacha, until that is paid out or given up.
 */
export const deleteParent = endpoint('DELETE', '/api/parents/:id', {
  params: idParam,
  query: deletionQuery,
  reply: messageReply,
})

export const deleteAnyStudent = endpoint('DELETE', '/api/parents/students/:id', {
  params: idParam,
  query: forceQuery,
  reply: messageReply,
})

/** Parents and teachers whose username or name contains `q` (at least 2 characters); at most 20. */
export const searchUsers = endpoint('GET', '/api/users/search', {
  query: z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(100)) }),
  reply: z.object({ users: z.array(z.object({ id: z.number(), username: z.string() })) }),
})
