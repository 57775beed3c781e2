import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = resolve(__dirname, '../..')

type Part = { file: string; imports?: string[]; css?: string[]; dynamicImports?: string[] }

/** The web application as the build makes it: what is fetched for each of its parts, and how many bytes that is. */
const built = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'first-load-'))
  try {
    const vite = resolve(root, 'node_modules/vite/bin/vite.js')
    execFileSync(process.execPath, [vite, 'build', '--manifest', '--outDir', folder, '--logLevel', 'warn'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const parts = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
      string,
      Part
    >
    const files = Object.values(parts).flatMap(({ file, css = [] }) => [file, ...css])
    const bytes = new Map(files.map((file) => [file, gzipSync(readFileSync(join(folder, file))).length]))
    const fonts = readdirSync(join(folder, 'assets')).filter((name) => /\.(?:woff2?|ttf|otf)$/.test(name))
    return { parts, bytes, fonts }
  } finally {
    rmSync(folder, { recursive: true })
  }
})()

/** The scripts of these parts and of everything they import. */
const scriptsOf = (...names: string[]): string[] => [
  ...new Set(
    names.flatMap((name) => {
      const { file, imports = [] } = built.parts[name]!
      return [file, ...scriptsOf(...imports)]
    }),
  ),
]
const sum = (files: readonly string[]) => files.reduce((total, file) => total + built.bytes.get(file)!, 0)

// DESIGN section 5: what a cheap phone on a slow network fetches before the first page is there.
test.each(['portal/portal-entry', 'parent/home', 'teacher/home'])(
  'the first load of %s is at most 200 kB of gzipped JavaScript',
  (page) => {
    const bytes = sum(scriptsOf('index.html', `pages/${page}.tsx`))
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(200_000)
  },
)

test('the style sheets are at most 20 kB gzipped', () => {
  const bytes = sum([...new Set(Object.values(built.parts).flatMap(({ css = [] }) => css))])
  expect(bytes).toBeGreaterThan(4_000)
  expect(bytes).toBeLessThanOrEqual(20_000)
})

test('one file of letters is built, its name changing with what is in it', () => {
  expect(built.fonts).toEqual([expect.stringMatching(/^kreon-latin-wght-normal-[\w-]{8,}\.woff2$/)])
})

const consoleParts = ['index.html', 'pages/admin/console.tsx']
const laterIn = (name: string) => built.parts[name]!.dynamicImports ?? []
const sections = [...laterIn('pages/admin/console.tsx'), ...laterIn('pages/admin/settings-section.tsx')]

test('the sections are found', () => expect(sections).toHaveLength(12 + 6))

test.each(sections)('%s adds at most 60 kB of gzipped JavaScript to the console', (section) => {
  const bytes = sum(scriptsOf(...consoleParts, section)) - sum(scriptsOf(...consoleParts))
  expect(bytes).toBeLessThanOrEqual(60_000)
})
