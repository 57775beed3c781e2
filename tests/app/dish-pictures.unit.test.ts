import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pictureOf, demoMenu } from '../../src/app/demo/menu'

test('every dish of the demonstration has a picture of its own, and every picture a dish', () => {
  const pictures = demoMenu.map(({ name }) => pictureOf(name))
  expect(pictures.filter((picture) => !existsSync(picture))).toEqual([])
  expect(new Set(pictures.map(String)).size).toBe(demoMenu.length)
  expect(readdirSync(join(process.cwd(), 'src/app/demo/pictures'))).toHaveLength(demoMenu.length)
})
