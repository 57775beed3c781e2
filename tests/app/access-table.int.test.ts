import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeAccess } from '../support/described-access'
import { accessTable, isForFamilies } from '../support/access-table'
import { type School, startSchool } from '../support/school'
import { whose } from '../support/ownership'

const page = join(__dirname, '../../docs/access.md')
const [begin, end] = ['<!-- written by tests/app/access-table.int.test.ts: begin -->', '<!-- end -->']

let school: School
beforeAll(async () => {
  school = await startSchool()
})
afterAll(() => school.close())

const routes = () => describeAccess(school.routes)

/** `WRITE_ACCESS=1 npx jest --testPathPatterns access-table` writes the page anew. */
test('docs/access.md says of every route who may call it, and whose things it gives', () => {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))]
  const wanted = `${before}${begin}\n\n${accessTable(routes()).join('\n')}\n\n${after}`
  if (process.env.WRITE_ACCESS) writeFileSync(page, wanted)
  expect(readFileSync(page, 'utf8')).toBe(wanted)
})

test('of every route open to families it is said whose things it gives, and of no other', () => {
  const open = routes()
    .filter(isForFamilies)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(whose).toSorted()).toEqual(open.toSorted())
})
