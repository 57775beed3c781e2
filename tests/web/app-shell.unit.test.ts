import { execFileSync } from 'node:child_process'
import { readFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { schemes } from '../support/theme-colours'

const web = join(__dirname, '../../web')
const text = (path: string) => readFileSync(join(web, path), 'utf8')
const colours = (of: string) => new Set(of.match(/#[0-9a-f]{6}\b/g))

const manifest = JSON.parse(text('public/manifest.webmanifest')) as Record<string, string> & {
  icons: { src: string; sizes: string; type: string; purpose: string }[]
}
const page = text('index.html')
const theme = Object.fromEntries(schemes.light)
const known = Object.values(schemes).flatMap((scheme) => [...scheme.values()])

describe('the manifest', () => {
  test('says what the application is', () => {
    expect(manifest).toMatchObject({
      name: 'Tuckshop Parent & Teacher Portal',
      short_name: 'Tuckshop',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      lang: /<html lang="(.+?)"/.exec(page)![1],
      theme_color: theme.head,
      background_color: theme.page,
    })
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
  })

  test('names icons for every use', () => {
    expect(manifest.icons.map(({ sizes, type, purpose }) => [sizes, type, purpose])).toEqual([
      ['192x192', 'image/png', 'any'],
      ['512x512', 'image/png', 'any'],
      ['512x512', 'image/png', 'maskable'],
    ])
  })
})

const sizeOf = (png: Buffer) => [
  png.subarray(1, 4).toString(),
  `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`,
]
const bytes = (name: string) => readFileSync(join(web, 'public', name))

describe('the icons', () => {
  test.each([...manifest.icons.map(({ src, sizes }) => [src, sizes]), ['/apple-touch-icon.png', '180x180']])(
    '%s is a picture of %s',
    (name, size) => {
      expect(sizeOf(bytes(name!))).toEqual(['PNG', size])
    },
  )

  test('favicon.ico holds one of 32 pixels', () => {
    const ico = bytes('favicon.ico')
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico[6]]).toEqual([1, 1, 32])
    expect(sizeOf(ico.subarray(ico.readUInt32LE(18)))).toEqual(['PNG', '32x32'])
  })
})

const coloured = ['favicon.svg', 'sw.js', 'manifest.webmanifest', 'serve.webmanifest'].map(
  (name) => `public/${name}`,
)

test.each([...coloured, 'index.html'])('%s has no colour that is not in the theme', (path) => {
  const used = colours(text(path))
  expect(used.size).toBeGreaterThan(0)
  expect([...used].filter((hex) => !known.includes(hex))).toEqual([])
})

type Asking = { url: string; mode: string; method: string }
type Heard = {
  request: Asking
  preloadResponse?: Promise<unknown>
  respondWith: (answer: Promise<Response>) => void
}

const phone = 'Android Mobile'

/** The service worker in a browser that fetches like this. */
const worker = (network: () => Promise<unknown>, browser = { onLine: false, userAgent: phone }) => {
  const listeners: Record<string, (heard: Heard) => void> = {}
  runInNewContext(text('public/sw.js'), {
    self: {
      addEventListener: (name: string, listener: (heard: Heard) => void) => {
        listeners[name] = listener
      },
    },
    fetch: network,
    navigator: browser,
    Response,
    URL,
    encodeURIComponent,
  })
  /** What it answers; undefined when it leaves the request to the browser. */
  return (asked: Partial<Asking>, preloadResponse?: Promise<unknown>): Promise<Response> | undefined => {
    const given: Promise<Response>[] = []
    const request = { url: 'https://lunch.school/', mode: 'navigate', method: 'GET', ...asked }
    listeners.fetch!({ request, preloadResponse, respondWith: (answer) => void given.push(answer) })
    return given[0]
  }
}
const noConnection = () => Promise.reject(new TypeError('Failed to fetch'))

describe('the service worker', () => {
  test('draws the drawing of the icon', () => {
    const strokes = [...text('public/favicon.svg').matchAll(/ d="(.+?)"/g)].map(([, stroke]) => stroke!)
    expect(strokes).toHaveLength(2)
    for (const stroke of strokes) expect(text('public/sw.js')).toContain(stroke)
  })

  test('keeps nothing', () => {
    expect(text('public/sw.js')).not.toContain('caches')
  })

  test.each([
    ['a call', { url: 'https://lunch.school/api/user', mode: 'cors' }],
    ['a part of the application', { url: 'https://lunch.school/assets/app-4f8a21c0.js', mode: 'cors' }],
    ['a picture', { url: 'https://lunch.school/favicon.svg', mode: 'no-cors' }],
    ['a form that is sent', { url: 'https://lunch.school/sandbox/pay/1', method: 'POST' }],
  ])('leaves %s alone', (_what, asked) => {
    expect(worker(noConnection)(asked)).toBeUndefined()
  })

  test('answers with the page that the server sends, or the browser asked for beforehand', async () => {
    const fresh = { body: 'fresh' }
    const early = { body: 'early' }
    const ask = worker(async () => fresh)
    expect(await ask({})).toBe(fresh)
    expect(await ask({}, Promise.resolve(early))).toBe(early)
  })

  test.each([
    ['no connection', false, 'You are offline'],
    ['no answer', true, 'The tuckshop does not answer'],
  ])('with %s says so', async (_what, onLine, title) => {
    const answer = (await worker(noConnection, { onLine, userAgent: phone })({}))!
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const said = await answer.text()
    expect(said).toContain(`<h1>${title}</h1>`)
    expect(said).toContain('Try again')
  })

  test('speaks of a device where it is no phone', async () => {
    const answer = await worker(noConnection, { onLine: false, userAgent: 'Windows' })({})
    expect(await answer!.text()).toContain('Your cart is kept on this device.')
  })

  test.each([
    ['with meals', { 'tuckshop-cart-7': '[{"menuItemId":3}]' }, true],
    ['emptied', { 'tuckshop-cart-7': '[]' }, false],
    ['that is none', { 'tuckshop-cart-7-paying': '{}', other: '1' }, false],
  ])('speaks of a cart %s as it is', async (_what, localStorage, isSaid) => {
    const html = await (await worker(noConnection)({}))!.text()
    const words = { hidden: true }
    const asked: string[] = []
    runInNewContext(/<script>(.+)<\/script>/s.exec(html)![1]!, {
      document: {
        querySelector: (selector: string) => {
          asked.push(selector)
          return selector === '#cart' ? words : {}
        },
      },
      navigator: { onLine: false },
      localStorage,
      addEventListener: () => undefined,
      setInterval: () => undefined,
    })
    expect(asked).toContain('#cart')
    expect(html).toContain('<span id="cart" hidden>Your cart is kept on this phone. </span>')
    expect(words.hidden).toBe(!isSaid)
  })

  test('lets a file that cannot be fetched fail, instead of saving a page under its name', async () => {
    const ask = worker(noConnection)
    await expect(ask({ url: 'https://lunch.school/api/audit/export' })).rejects.toThrow('Failed to fetch')
  })
})

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

test('the sections are found', () => expect(sections).toHaveLength(13 + 6))

test.each(sections)('%s adds at most 60 kB of gzipped JavaScript to the console', (section) => {
  const bytes = sum(scriptsOf(...consoleParts, section)) - sum(scriptsOf(...consoleParts))
  expect(bytes).toBeLessThanOrEqual(60_000)
})
