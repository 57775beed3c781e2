import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint'
import { route, signedIn } from '#platform/http/route'
import { everyObjectHas } from '../../support/own-keys'
import { exampleRoutes } from './example-routes'
import { type ExampleServer, people, startExampleServer } from './example-server'

const hostile = '</script><script>steal()</script><!--'
const saying = route(endpoint('GET', '/api/said', { reply: z.string() }), signedIn, async () => hostile)

const root = join(mkdtempSync(join(tmpdir(), 'tuckshop page ')), 'web')
const script = "say('here')"
const bare = `<head></head><p>Ask <!--contact--></p><div id="root">Soon</div><script>${script}</script><!--sent--><script src="/a.js"></script>`
const manifest = {
  'index.html': { file: 'a.js', imports: ['_common.js'] },
  'home.tsx': { file: 'assets/home-1.js', css: ['assets/home-1.css'], imports: ['_common.js', '_shared.js'] },
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
