import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(__dirname, '../..')

/** DESIGN section 5: what a cheap phone on a slow network has to fetch before the first screen is there. */
const mostBytes = 140_000

const measured = JSON.parse(
  execFileSync(process.execPath, [resolve(__dirname, 'measure-first-load.mjs')], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  }),
) as { login: number; parent: number; teacher: number; css: number; sections: Record<string, number> }

test.each(['login', 'parent', 'teacher'] as const)(
  'the first load of %s is at most 140 kB of gzipped JavaScript',
  (screen) => {
    expect(measured[screen]).toBeGreaterThan(60_000)
    expect(measured[screen]).toBeLessThanOrEqual(mostBytes)
  },
)

test('the style sheets are at most 20 kB gzipped', () => {
  expect(measured.css).toBeGreaterThan(4_000)
  expect(measured.css).toBeLessThanOrEqual(20_000)
})

test.each(Object.entries(measured.sections))(
  'the section %s adds at most 60 kB of gzipped JavaScript to the console',
  (_section, bytes) => {
    expect(bytes).toBeGreaterThan(500)
    expect(bytes).toBeLessThanOrEqual(60_000)
  },
)
