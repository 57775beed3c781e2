import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileText } from '../support/repository'

const root = join(__dirname, '../..')

const sources = ['src', 'web'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${room}/${path.replaceAll('\\', '/')}`),
)

/** Names of the settings from which a cutoff can be computed. */
const setting = /cutoff[._]?(hour|minute)|daysBefore|days_before|schoolDaysOnly|school_days_only/i

/** An instant at an hour that its file does not write down. */
const isMovingInstant = (text: string): boolean =>
  [...text.matchAll(/instantAt\(.*?(\w+)\.hour\b/g)].some(
    ([, name]) => !new RegExp(`const ${name} = \\{ hour: \\d`).test(text),
  )

const saidIn = (pattern: RegExp, files: readonly { path: string; text: string }[]): string[] =>
  files.flatMap(({ path, text }) => (pattern.test(text) ? [path] : []))

const repository = sources.map((path) => ({ path, text: fileText(path) }))

/** Whoever needs to know when a date closes asks cycles: `cutoffOf` on the server, `cutoffAt` of a day on a screen. */
test('one function alone computes when a date can no longer be ordered', () => {
  expect(repository.length).toBeGreaterThan(500)
  expect(saidIn(setting, repository).toSorted()).toEqual([
    'src/contracts/cycles.ts',
    // The words of the setting.
    'src/kernel/deadline.ts',
    'src/modules/cycles/calendar.decide.ts',
    'src/modules/cycles/cycles.routes.ts',
    'src/modules/cycles/cycles.rows.ts',
    'web/features/order-settings/cutoff.tsx',
    // Whether there are such days, not when they close.
    'web/pages/ordering/menu-tab.tsx',
  ])
  expect(repository.filter(({ text }) => isMovingInstant(text)).map(({ path }) => path)).toEqual([
    'src/modules/cycles/calendar.decide.ts',
  ])
})

test.each([
  ['the setting in another module', 'const at = instantAt(date, cutoff.hour, cutoff.minute, zone)'],
  ['the setting on a screen', 'const until = clockTime(cutoff.cutoffHour, cutoff.cutoffMinute)'],
  ['its columns', "knex('cycles.settings').first('cutoff_hour')"],
  ['the days before', 'addDays(date, -terms.daysBefore)'],
])('and another one would be found: %s', (_what, text) => {
  const path = 'src/modules/ordering/another.ts'
  expect(isMovingInstant('const at = instantAt(date, closing.hour, closing.minute, zone)')).toBe(true)
  expect(saidIn(setting, [{ path, text }])).toEqual([path])
})
