import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Endpoint } from '#contracts/endpoint'
import { addressOf } from '#platform/http/route'
import { composed } from '../../scripts/composed'
import { contractsPage } from '../../scripts/contracts-page'
import { eventsPage } from '../../scripts/events-page'
import { ownStreams } from '../../src/adapters/event-store/esdb/event-store'
import { demoSignIns } from '../../src/app/demo/demo-school'
import { fileText, anchorsOf } from '../support/repository'

test('docs/contracts.json is what npm run docs:contracts writes', () => {
  expect(fileText('docs/contracts.json').split('\n')).toEqual(contractsPage().split('\n'))
})

test('npm run docs:words prints what somebody reads with its place, and neither addresses nor codes', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'words-')), 'screen.tsx')
  writeFileSync(
    file,
    [
      "import { paths } from './Paths with words'",
      'export const Screen = ({ left }: { left: number }) => (',
      '  <a className="Font Bold" href="/A b" title="See your orders">',
      '    Choose a meal {left === 0 ? `None left on ${day}` : null}',
      '  </a>',
      ')',
      "export const refuse = () => refusal('too_late', 'The day is over. Choose another one.', 'GET')",
    ].join('\n'),
  )
  const printed = execFileSync(process.execPath, ['scripts/docs-words.mjs', file], { encoding: 'utf8' })
  expect(printed.trimEnd().split('\n')).toEqual([
    `${file}:3: See your orders`,
    `${file}:4: Choose a meal`,
    `${file}:4: None left on …`,
    `${file}:7: The day is over. Choose another one.`,
  ])
})

// They keep their key in the transaction of the act itself.
const keepTheirKey = [
  'POST /api/orders/cancel',
  'POST /api/orders/substitute',
  'POST /api/order-cycles/:id/closures',
]

test('what a caller sends with an Idempotency-Key is what the server holds to one request', () => {
  const routes = composed()
    .flatMap((module) => module.routes)
    .flatMap((route) => (route.kind === 'json' ? [route] : []))
  const nameOf = ({ endpoint }: (typeof routes)[number]) => `${endpoint.method} ${endpoint.path}`
  const sent = routes.filter(({ endpoint }) => endpoint.once).map(nameOf)
  const held = routes.filter(({ options }) => options.once).map(nameOf)
  expect(sent.toSorted()).toEqual([...held, ...keepTheirKey].toSorted())
})

// The same request again finds what these made.
const knowTheirOwn = [
  'POST /api/menu/bulk-upload', // an item is known by its name (decision 0005)
  'POST /api/menu/pictures', // the address is the hash of the bytes
  'POST /api/orders', // the checkout's id is made of the key (decision 0004)
  'POST /api/payments/push/:secret', // a doorbell
  'POST /api/payments/statements', // rows of an earlier upload are known
  'POST /api/books/settlements', // books nothing: either of two is looked at alike
  'POST /api/roll/preview', // makes nothing until it is applied
  'POST /api/user/staff-entry', // answers the entry that is there
]

test('every call that makes something takes an Idempotency-Key', () => {
  const making = composed()
    .flatMap((module) => module.routes)
    .filter((route) =>
      route.kind === 'raw' ? route.method === 'POST' : route.endpoint.status === 201 && !route.endpoint.once,
    )
    .map((route) => `POST ${addressOf(route).path}`)
  expect(making.toSorted()).toEqual(knowTheirOwn.toSorted())
})

const root = join(__dirname, '../..')
const { scripts } = JSON.parse(fileText('package.json')) as { scripts: Record<string, string> }

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)

/** The files and folders of this project that a page names in code marks, those with a wildcard left out. */
const filesNamedIn = (text: string) =>
  all(text, /`((?:src|web|tests|docs|scripts|bench|migrations|ops)\/[\w./@-]+)`/g)

const anchorIsThere = (page: string, anchor: string) => anchorsOf(readFileSync(page, 'utf8')).includes(anchor)

const linkIsBroken = (page: string, link: string) => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(root, page) : join(root, dirname(page), path)
  return !existsSync(target) || (anchor !== undefined && !anchorIsThere(target, anchor))
}

/** What the page names that is not there. */
const faultsOf = (page: string, text: string): string[] => [
  ...filesNamedIn(text).filter((file) => !existsSync(join(root, file))),
  ...all(text, /npm run ([\w:]+)/g).filter((script) => scripts[script] === undefined),
  ...all(text, /\]\((?!https?:)([^)\s]+)\)/g).filter((link) => linkIsBroken(page, link)),
]

test.each(pages)('%s names files and scripts that exist, and its links lead somewhere', (page) => {
  expect(faultsOf(page, fileText(page))).toEqual([])
})

test('the pages name many files', () => {
  expect(pages.flatMap((page) => filesNamedIn(fileText(page))).length).toBeGreaterThan(200)
})

test('a file, a script and a link that lead nowhere are found out', () => {
  const wrong =
    'See `tests/abuse/no-such.int.test.ts`, `npm run fly`, [a](none.md), [b](#none), [c](#growth).'
  expect(faultsOf('docs/operations.md', wrong)).toEqual([
    'tests/abuse/no-such.int.test.ts',
    'fly',
    'none.md',
    '#none',
  ])
})

test('docs/events.md is what npm run docs:events writes', async () => {
  expect(fileText('docs/events.md')).toBe(await eventsPage())
})

test('the streams that modules name are those whose events EventStoreDB hands on', () => {
  const modules = join(__dirname, '../../src/modules')
  const named = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(modules, file), 'utf8').matchAll(
        /\b\w*[sS]tream(?:Of)?\b[^`]{0,120}?=>\s+`(\w+-)\$\{/g,
      ),
    ])
    .map(([, prefix]) => prefix!)
  expect([...new Set(named)].toSorted()).toEqual([...ownStreams].toSorted())
})

const contracts = join(__dirname, '../../src/contracts')

const endpoints = async (): Promise<Endpoint[]> => {
  const exported = await Promise.all(readdirSync(contracts).map((file) => import(join(contracts, file))))
  return exported
    .flatMap((module) => Object.values(module as object))
    .filter((value) => typeof value?.path === 'string' && typeof value?.method === 'string')
}

type Request = { method: string; path: string; body: string }

/** The requests of the page; a variable stands for 1. */
const requests: Request[] = fileText('docs/requests.http')
  .replaceAll(/(?<!\{\{host)\{\{(?!host)[^}]+\}\}/g, '1')
  .split(/^### .*$/m)
  .slice(1)
  .map((text) => {
    const [, method = '', path = ''] = /^([A-Z]+) \{\{host\}\}([^\s?]+)/m.exec(text) ?? []
    const [, body = ''] =
      /Content-Type: application\/json\n(?:Idempotency-Key: .*\n)?\n([\s\S]*)/.exec(text) ?? []
    return { method, path, body: body.trim() }
  })

const serves = (endpoint: Endpoint, { method, path }: Request) => {
  const names = endpoint.path.split('/')
  const parts = path.split('/')
  return (
    endpoint.method === method &&
    names.length === parts.length &&
    names.every((name, index) => name.startsWith(':') || name === parts[index])
  )
}

test('each request of docs/requests.http has a contract, and a body that the contract takes', async () => {
  const all = await endpoints()
  const served = requests.filter(({ path }) => !path.startsWith('/sandbox/'))
  expect(served.length).toBeGreaterThan(20)
  for (const request of served) {
    // A fixed path before one with a parameter, as the router has it.
    const [endpoint] = all
      .filter((one) => serves(one, request))
      .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
    expect({ ...request, path: endpoint?.path }).toMatchObject({ path: expect.any(String) })
    if (request.body !== '') expect(endpoint!.body.safeParse(JSON.parse(request.body)).error).toBeUndefined()
  }
})

test('docs/requests.http signs in with the names and passwords of the demonstration', () => {
  const used = requests
    .filter(({ path }) => path === '/api/login')
    .map(({ body }) => JSON.parse(body) as object)
  const known = Object.values(demoSignIns).map(({ username, password }) => ({ username, password }))
  expect(used).toHaveLength(4)
  expect(known).toEqual(expect.arrayContaining(used))
})
