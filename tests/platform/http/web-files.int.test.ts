import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint'
import { receiveUpload, uploadBodyOf } from '#platform/http/body'
import { replyJson } from '#platform/http/request'
import { route, signedIn, rawRoute, anyone } from '#platform/http/route'
import { consolePaths, paths } from '../../../web/lib/paths'
import { eventually } from '../../support/eventually'
import type { Exchange } from '../../support/http-exchange'
import { everyObjectHas } from '../../support/own-keys'
import {
  type ExampleServer,
  startExampleServer,
  people,
  exampleSessions,
  exampleRoutes,
} from './example-server'

describe('web files', () => {
  const script = `export const menu = '${'nshima '.repeat(400)}'`
  const page = '<!doctype html><title>Tuckshop</title>'
  const folder = mkdtempSync(join(tmpdir(), 'tuckshop web '))
  const root = join(folder, 'dist')

  let server: ExampleServer

  beforeAll(async () => {
    mkdirSync(join(root, 'assets'), { recursive: true })
    writeFileSync(join(folder, 'outside.txt'), 'not for you')
    writeFileSync(join(root, 'index.html'), page)
    writeFileSync(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    writeFileSync(join(root, 'sw.js'), '// keeps nothing')
    writeFileSync(join(root, 'serve-sw.js'), '// keeps the hatch')
    writeFileSync(join(root, 'manifest.webmanifest'), '{}')
    writeFileSync(join(root, 'favicon.ico'), 'icon')
    writeFileSync(join(root, 'icon-192.png'), 'icon')
    writeFileSync(join(root, 'assets', 'app-4f8a21c0.js'), script)
    writeFileSync(join(root, 'assets', 'app-4f8a21c0.js.gz'), gzipSync(`${script} // gzip`))
    writeFileSync(join(root, 'assets', 'app-4f8a21c0.js.br'), brotliCompressSync(`${script} // brotli`))
    writeFileSync(join(root, 'assets', 'plate-9d1b_x-7.png'), Buffer.alloc(3000, 7))
    server = await startExampleServer({ webRoot: root })
  })

  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  describe('a file', () => {
    test('is served with its type; with a hash in its name it is kept for ever', async () => {
      const answer = await server.ask('/assets/app-4f8a21c0.js')
      expect([answer.status, answer.text]).toEqual([200, script])
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(script.length),
        'x-content-type-options': 'nosniff',
      })
      expect((await server.ask('/assets/plate-9d1b_x-7.png')).headers['cache-control']).toContain('immutable')
    })

    test.each([
      ['/favicon.svg', 'image/svg+xml'],
      ['/favicon.ico', 'image/vnd.microsoft.icon'],
      ['/icon-192.png', 'image/png'],
      ['/sw.js', 'text/javascript; charset=utf-8'],
      ['/serve-sw.js', 'text/javascript; charset=utf-8'],
      ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
    ])('without a hash, as %s is, is asked for anew each time', async (path, type) => {
      const answer = await server.ask(path)
      expect(answer.headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' })
    })

    test('that the browser has is not sent again', async () => {
      const { etag } = (await server.ask('/assets/app-4f8a21c0.js')).headers
      const again = await server.ask('/assets/app-4f8a21c0.js', { headers: { 'if-none-match': etag! } })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
      const other = await server.ask('/assets/app-4f8a21c0.js', { headers: { 'if-none-match': 'W/"other"' } })
      expect(other.status).toBe(200)
    })

    test('is described without being sent', async () => {
      const answer = await server.ask('/assets/app-4f8a21c0.js', { method: 'HEAD' })
      expect([answer.status, answer.bytes.length]).toEqual([200, 0])
      expect(answer.headers['content-length']).toBe(String(script.length))
    })

    test.each([
      ['br, gzip', 'br', brotliDecompressSync, ' // brotli'],
      ['gzip', 'gzip', gunzipSync, ' // gzip'],
    ])(
      'goes as the build has compressed it to a browser that takes %s',
      async (takes, encoding, unpack, mark) => {
        const answer = await server.ask('/assets/app-4f8a21c0.js', { headers: { 'accept-encoding': takes } })
        expect(answer.headers).toMatchObject({
          'content-encoding': encoding,
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-length': String(answer.bytes.length),
          vary: 'Accept-Encoding',
        })
        expect(unpack(answer.bytes).toString()).toBe(script + mark)
      },
    )

    test('that is small or a picture goes as it is', async () => {
      const headers = { 'accept-encoding': 'br, gzip' }
      for (const path of ['/favicon.svg', '/assets/plate-9d1b_x-7.png'])
        expect((await server.ask(path, { headers })).headers['content-encoding']).toBeUndefined()
    })
  })

  describe('the page', () => {
    const routed = Object.values({ ...paths, ...consolePaths }).map((path) =>
      typeof path === 'function' ? (path as (part: string) => string)('7') : path,
    )
    const ownAddresses = [
      ...new Set(routed),
      '/register?code=BCDFGHJK',
      '/guardian-invite/a1-b2_c3',
      // As the ending of a file would be.
      '/stop/1a.abcdefghijklmnop',
      '/receipts/2026-000123',
    ]
    test.each([...ownAddresses, '/index.html'])(
      'answers %s and is asked for anew each time',
      async (path) => {
        const answer = await server.ask(path, { headers: html })
        expect([answer.status, answer.text]).toEqual([200, page])
        expect(answer.headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
        })
      },
    )

    test.each(ownAddresses)('answers %s to whoever asks', async (path) => {
      expect((await server.ask(path, { headers: { accept: 'application/json' } })).status).toBe(200)
      expect((await server.ask(path, { method: 'HEAD' })).status).toBe(200)
    })

    test.each([
      '/login',
      '/menu/edit',
      '/menu/edit/7/more',
      '/payment',
      '/orders/118.2026-09-24.1',
      '/settings.php/x',
    ])('answers %s, which is no address of the application, with 404', async (path) => {
      const answer = await server.ask(path, { headers: html })
      expect([answer.status, answer.text]).toEqual([404, page])
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect((await server.ask(path, { method: 'HEAD', headers: html })).status).toBe(404)
    })

    test.each([
      ['an unknown call', '/api/nowhere', html],
      ['a missing script', '/assets/old-11111111.js', html],
      ['a missing file', '/old.js', { accept: '*/*' }],
      ['an unknown mail page', '/dev/nowhere', html],
      ['an unknown payment page', '/sandbox', html],
      ['a reader that wants no page', '/login', { accept: 'application/json' }],
    ])('does not answer %s', async (_what, path, headers) => {
      const answer = await server.ask(path, { headers })
      expect([answer.status, answer.json().code]).toEqual([404, 'not_found'])
    })

    test('is for reading', async () => {
      expect((await server.ask('/settings', { method: 'POST', headers: html })).status).toBe(404)
      const head = await server.ask('/settings', { method: 'HEAD', headers: html })
      expect([head.status, head.bytes.length]).toEqual([200, 0])
    })
  })

  test.each([
    '/../outside.txt',
    '/assets/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/assets/%2e%2e/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/assets/..%5c..%5coutside.txt',
    '//outside.txt',
    '/%00/outside.txt',
    '/%zz',
  ])('%s leads out of the folder for nobody', async (path) => {
    const answer = await server.ask(path, { headers: { accept: 'text/plain' } })
    expect(answer.text).not.toContain('not for you')
    expect(answer.status).toBe(404)
  })

  test('files and pages are logged quietly and never by address', async () => {
    server.log.lines.splice(0)
    await server.ask('/assets/app-4f8a21c0.js')
    await server.ask('/login?token=hunter2', { headers: html })
    const requests = server.log.lines.filter(({ message }) => message === 'request')
    expect(requests.map(({ level, details }) => [level, details.route])).toEqual([
      ['debug', 'file'],
      ['debug', 'page'],
    ])
    expect(JSON.stringify(server.log.lines)).not.toContain('hunter2')
  })

  test('without a build there are only calls', async () => {
    const bare = await startExampleServer({ webRoot: null })
    expect((await bare.ask('/', { headers: html })).json().code).toBe('not_found')
    await bare.close()
  })

  test('long answers of the API go compressed to a browser that takes that', async () => {
    const answer = await server.ask('/api/many', { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(answer.bytes).toString())).toHaveLength(500)
    expect((await server.ask('/api/many')).json<string[]>()).toHaveLength(500)
    const short = await server.ask('/api/plates', { headers: { 'accept-encoding': 'gzip' } })
    expect(short.headers['content-encoding']).toBeUndefined()
  })

  test('HEAD of a call describes its answer', async () => {
    const answer = await server.ask('/api/plates', { method: 'HEAD' })
    expect([answer.status, answer.bytes.length]).toEqual([200, 0])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

describe('page', () => {
  const hostile = '</script><script>steal()</script><!--'
  const saying = route(endpoint('GET', '/api/said', { reply: z.string() }), signedIn, async () => hostile)

  const root = join(mkdtempSync(join(tmpdir(), 'tuckshop page ')), 'web')
  const script = "say('here')"
  const bare = `<head></head><p>Ask <!--contact--></p><div id="root">Soon</div><script>${script}</script><!--sent--><script src="/a.js"></script>`
  const manifest = {
    'index.html': { file: 'a.js', imports: ['_common.js'] },
    'home.tsx': {
      file: 'assets/home-1.js',
      css: ['assets/home-1.css'],
      imports: ['_common.js', '_shared.js'],
    },
    '_common.js': { file: 'assets/common-1.js' },
    '_shared.js': { file: 'assets/shared-1.js', imports: ['home.tsx'] },
  }
  let server: ExampleServer
  let asked: unknown[]
  let words: () => Promise<Record<string, string>>

  beforeAll(async () => {
    mkdirSync(root)
    writeFileSync(join(root, 'index.html'), bare)
    mkdirSync(join(root, '.vite'))
    writeFileSync(join(root, '.vite/manifest.json'), JSON.stringify(manifest))
    server = await startExampleServer({
      routes: [exampleRoutes, [saying]],
      webRoot: root,
      page: {
        firstPage: (who, at) => {
          asked.push([who?.username ?? null, at.pathname])
          return who
            ? {
                parts: ['home.tsx', 'unknown.tsx', ...everyObjectHas],
                reads: ['/api/signed-in', '/api/plates?page=2', '/api/kitchen', '/api/broken', '/api/said'],
              }
            : { parts: [], reads: ['/api/signed-in'] }
        },
        words: () => words(),
      },
    })
  })
  beforeEach(() => {
    asked = []
    words = async () => ({ contact: '<b>the "office"</b>' })
  })
  afterAll(async () => {
    await server.close()
    rmSync(join(root, '..'), { recursive: true })
  })

  const sentIn = (page: string) =>
    JSON.parse(/<script type="application\/json" id="sent">(.*?)<\/script>/.exec(page)![1]!)

  describe('a visitor who is signed in', () => {
    test('has the page with what they begin with, and no cache keeps it', async () => {
      const cookie = await server.cookieOf(people.parent)
      const answer = await server.ask('/?tab=cart', { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
      })
      expect(answer.headers.etag).toBeUndefined()
      expect(sentIn(answer.text)).toMatchObject({
        '/api/signed-in': { userId: 1, actor: 'user:1' },
        '/api/plates?page=2': [{ name: 'nshima', portions: 2 }],
      })
      expect(answer.text).toContain(
        '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/home-1.js"><link rel="stylesheet" crossorigin href="/assets/home-1.css"><link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/shared-1.js"></head>',
      )
      expect(answer.text).toContain('<div id="root">Soon')
      expect(asked).toEqual([['mutale', '/']])
    })

    test('is sent null in the place of what they may not read, and nothing in that of what fails', async () => {
      const cookie = await server.cookieOf(people.parent)
      const sent = sentIn((await server.ask('/', { headers: { cookie } })).text)
      expect(sent).toMatchObject({ '/api/kitchen': null })
      expect(sent).not.toHaveProperty(['/api/broken'])
    })

    test('has nothing of it in the page by its file’s name, which the hatch keeps, nor in what HEAD answers', async () => {
      const cookie = await server.cookieOf(people.parent)
      const file = await server.ask('/index.html', { headers: { cookie } })
      expect([file.text, file.headers['cache-control']]).toEqual([bare, 'no-cache'])
      await server.ask('/', { method: 'HEAD', headers: { cookie } })
      expect(asked).toEqual([])
    })
  })

  describe('a visitor who is not', () => {
    test('is told so by the page', async () => {
      const { text, headers } = await server.ask('/')
      expect(sentIn(text)).toEqual({ '/api/signed-in': null })
      expect(headers['cache-control']).toBe('private, no-store')
    })
  })

  test('no words and no reply are more than text', async () => {
    const { text } = await server.ask('/')
    expect(text).toContain('Ask &lt;b&gt;the &quot;office&quot;&lt;/b&gt;')
    const cookie = await server.cookieOf(people.parent)
    const page = (await server.ask('/', { headers: { cookie } })).text
    expect(sentIn(page)['/api/said']).toBe(hostile)
    expect(page.split('<script').length - 1).toBe(3)
    expect(page).not.toContain('steal()</script>')
  })

  test('an unknown address has the page with 404', async () => {
    const answer = await server.ask('/nowhere', { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(sentIn(answer.text)).toEqual({ '/api/signed-in': null })
  })

  test('while nothing can be read, the page comes without it, and says so to the log', async () => {
    words = () => Promise.reject(new Error('The database is away'))
    const answer = await server.ask('/')
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, bare, 'no-cache'])
    expect(server.log.lines.at(-2)).toMatchObject({ level: 'warn', message: 'a page goes without its data' })
  })

  test('what takes too long is not waited for', async () => {
    words = () => new Promise(() => undefined)
    expect((await server.ask('/')).text).toBe(bare)
  })

  test('the policy names the script in the page, and no other', async () => {
    const hash = createHash('sha256').update(script).digest('base64')
    const { headers } = await server.ask('/')
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
  })
})

const mebibyte = 1024 * 1024

test('of many uploads at once two are read, sixteen wait their turn, and the others are told when to come again', async () => {
  const leaving: (() => void)[] = []
  let inside = 0
  let most = 0
  const upload = rawRoute({
    method: 'POST',
    path: '/api/upload',
    access: anyone,
    options: { maxBodyBytes: uploadBodyOf(5 * mebibyte) },
    serve: async (context) => {
      inside += 1
      most = Math.max(most, inside)
      const { bytes } = await receiveUpload(context)
      await new Promise<void>((leave) => leaving.push(leave))
      inside -= 1
      replyJson(context, 200, { bytes: bytes.length })
    },
  })
  const server = await startExampleServer({ sessions: exampleSessions(), routes: [[upload]] })
  const file = Buffer.alloc(4 * mebibyte, 'a')
  const body = Buffer.concat([
    Buffer.from('--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'),
    file,
    Buffer.from('\r\n--cut--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=cut' }
  const send = () => server.ask('/api/upload', { method: 'POST', headers, body })
  const answered: Exchange[] = []
  const sending = Array.from({ length: 24 }, async () => {
    answered.push(await send())
  })
  await eventually(async () => answered.length === 6 && leaving.length === 2)
  for (const { status, headers: told, json } of answered)
    expect([status, told['retry-after'], json().code]).toEqual([429, '10', 'too_many_requests'])
  expect(inside).toBe(2)
  for (let left = 18; left > 0; left -= 1) {
    await eventually(async () => leaving.length > 0)
    leaving.shift()!()
  }
  await Promise.all(sending)
  expect(answered.slice(6).map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 200))
  expect(most).toBe(2)
  await server.close()
})
