import type { Database } from '#platform/database'
import { lettersOf } from '#platform/letters'
import { testDatabase } from '../support/postgres'

type Letter = { id: string }

let database: Database
let close: () => Promise<void>
beforeEach(async () => {
  ;({ database, close } = await testDatabase())
})
afterEach(() => close())

const now = new Date('2026-09-14T05:00:00Z')

/** Letters of which those of `failing` cannot be written and those of `early` not yet. */
const lettersBox = () => {
  const world = {
    failing: new Set<string>(),
    early: new Set<string>(),
    due: [] as Letter[],
    tried: [] as string[],
  }
  const letters = lettersOf<Letter>({
    database,
    now: () => now,
    name: 'write-example-letters',
    notes: 'payments.letters_written',
    due: async () => world.due,
    write: async (given) => {
      world.tried.push(given.map(({ id }) => id).join('+'))
      if (given.some(({ id }) => world.failing.has(id))) throw new Error('killed')
      return given.filter(({ id }) => !world.early.has(id))
    },
  })
  return { world, ...letters }
}

const lettersNamed = (...ids: string[]) => ids.map((id) => ({ id }))

test('letters that come together are written together, once', async () => {
  const { world, writeOnce } = lettersBox()
  await writeOnce(lettersNamed('a', 'b'))
  await writeOnce(lettersNamed('a', 'b', 'c'))
  await writeOnce(lettersNamed('a', 'c'))
  expect(world.tried).toEqual(['a+b', 'c'])
})

test('a letter that cannot be written holds up no other, and is tried again', async () => {
  const { world, writeOnce } = lettersBox()
  world.failing.add('b')
  await expect(writeOnce(lettersNamed('a', 'b', 'c'))).rejects.toThrow('killed')
  expect(world.tried.splice(0)).toEqual(['a+b+c', 'a', 'b', 'c'])
  world.failing.clear()
  await writeOnce(lettersNamed('a', 'b', 'c'))
  expect(world.tried).toEqual(['b'])
})

test('a letter that is too early is left to the sweep', async () => {
  const { world, writeOnce, sweep } = lettersBox()
  world.early.add('a')
  await writeOnce(lettersNamed('a', 'b'))
  world.early.clear()
  world.due = lettersNamed('a', 'b')
  await sweep.run()
  await sweep.run()
  expect(world.tried).toEqual(['a+b', 'a'])
})
