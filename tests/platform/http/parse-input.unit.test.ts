import * as z from 'zod/mini'
import type { Refusal } from '#kernel/refusal'
import { everyObjectHas } from '../../support/own-keys'
import { parseInput } from '#platform/http/serve-route'

const schema = z.object({
  name: z.string(),
  age: z.int(),
  code: z.string('Enter the code'),
  word: z.string().check(z.maxLength(2, 'At most 2')),
})
const fieldsOf = (input: unknown) => {
  try {
    return parseInput(schema, input)
  } catch (refused) {
    return (refused as Refusal).fields
  }
}

test('says the document’s words where a contract has none of its own', () => {
  expect(fieldsOf({ age: 'ten', word: 'abc' })).toEqual({
    name: 'Required',
    age: 'Invalid input',
    code: 'Enter the code',
    word: 'At most 2',
  })
})

test('answers what fits', () => {
  const fitting = { name: 'Bupe', age: 7, code: '1', word: 'ab' }
  expect(fieldsOf(fitting)).toEqual(fitting)
})

test.each(everyObjectHas.filter((name) => name !== '__proto__'))(
  'says what is wrong with a field that is called %s',
  (name) => {
    const strict = z.object({ [name]: z.int('A number') })
    const refusedFields = () => {
      try {
        return parseInput(strict, Object.fromEntries([[name, 'none']]))
      } catch (refused) {
        return Object.entries((refused as Refusal).fields!)
      }
    }
    expect(refusedFields()).toEqual([[name, 'A number']])
  },
)
