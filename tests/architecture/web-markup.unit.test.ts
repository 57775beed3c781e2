import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const web = join(__dirname, '../../web')

test('no file of the web application writes HTML itself or runs text', () => {
  const written =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => written.test(readFileSync(join(web, file), 'utf8')))).toEqual([])
})
