import { foldedName, foldedSql } from '#kernel/folded-name'
import { testDatabase, type TestDatabase } from '../support/postgres'

let opened: TestDatabase
beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.close())

test('Postgres folds a name as the program does', async () => {
  // Every sign up to U+33FF and of the compatibility forms.
  const signs = [...Array(0x3400).keys(), ...Array.from({ length: 0x600 }, (_, index) => 0xfa00 + index)]
    .filter((code) => code > 0)
    .map((code) => `A${String.fromCharCode(code)}b`)
  const names = ['Ng’andu', 'Mary-Ann O`Brien', 'Zoë\u200b SÁ', 'Lưu Đình', ...signs]
  const { rows } = await opened.database.pool.query<{ name: string; folded: string }>(
    `select name, ${foldedSql('name')} as folded from unnest($1::text[]) as one (name)`,
    [names],
  )
  expect(rows.filter(({ name, folded }) => folded !== foldedName(name))).toEqual([])
  expect(rows).toHaveLength(names.length)
})
