import { z } from 'zod'
import * as mini from 'zod/mini'
import { compiled } from '#kernel/event'

const shape = mini.object({
  name: mini.string().check(mini.minLength(2, 'Too short')),
  count: mini.optional(mini.number()),
  kind: mini.nullable(mini.enum(['one', 'other'])),
  lines: mini.array(mini.object({ at: mini.pipe(mini.string(), mini.transform(Number)) })),
})

test('what fits is read as without compiling: turned, and what is not named left out', () => {
  const given = { name: 'Chanda', kind: null, lines: [{ at: '7', more: 1 }], secret: 'x' }
  const read = compiled(shape).parse(given)
  expect(read).toEqual({ name: 'Chanda', kind: null, lines: [{ at: 7 }] })
  expect(JSON.stringify(read)).toBe(JSON.stringify(shape.parse(given)))
})

test('what does not fit is refused in the same words', () => {
  const wrong = { name: 'C', kind: 'third', lines: [{ at: 7 }, null] }
  const issues = compiled(shape).safeParse(wrong).error?.issues
  expect(issues).toHaveLength(4)
  expect(issues).toEqual(shape.safeParse(wrong).error?.issues)
})

test('a schema is compiled once; a strict one still refuses what it does not name', () => {
  const strict = z.strictObject({ id: z.int() })
  expect(compiled(strict)).toBe(compiled(strict))
  expect(compiled(strict)).not.toBe(strict)
  expect(compiled(strict).safeParse({ id: 1, more: 2 }).success).toBe(false)
  expect(compiled(strict).parse({ id: 1 })).toEqual({ id: 1 })
})
