import { connect } from 'node:net'
import { register } from '#contracts/identity'
import { csvColumns } from '#contracts/menu-upload'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { type School, startSchool, superadminPassword } from '../support/school'

const pushSecret = 'a-push-secret-for-bombs'
/** What any answer may take on a slow and busy machine; a bomb that goes off takes minutes. */
const soonMs = 30_000

let school: School
let cookie: string
beforeAll(async () => {
  school = await startSchool({ variables: { DPO_PUSH_SECRET: pushSecret } })
  const body = { username: 'superadmin', password: superadminPassword }
  cookie = cookiesFrom(await exchange(school.url, '/api/login', { method: 'POST', body }))
})
afterEach(async () => {
  expect((await exchange(school.url, '/healthz')).status).toBe(200)
})
afterAll(() => school.close())

/** The status of an answer that came soon; `late` otherwise. */
const soon = async (answering: Promise<{ status: number }>) => {
  const startedAt = performance.now()
  const { status } = await answering
  return performance.now() - startedAt < soonMs ? status : 'late'
}

const part = (name: string, content: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
const file = (content: string) => part('file', content, '; filename="menu.csv"')
const upload = (body: string, type = 'multipart/form-data; boundary=x') =>
  exchange(school.url, '/api/menu/bulk-upload', {
    method: 'POST',
    headers: { cookie, 'content-type': type },
    body: `${body}--x--\r\n`,
  })

describe('an upload', () => {
  test.each([
    ['of fifty thousand fields', part('a', '1').repeat(50_000), [400]],
    ['of ten thousand files', file('').repeat(10_000), [400]],
    ['with a field of five megabytes', part('a', 'x'.repeat(5_000_000)), [400]],
    ['with a name of five megabytes', part('n'.repeat(5_000_000), '1'), [400, 422]],
    ['with fifty thousand headers in a part', `--x\r\n${'a: b\r\n'.repeat(50_000)}\r\n1\r\n`, [400, 422]],
    [
      'of one row of a million cells',
      file(`${csvColumns.join(',')}\n${'a,'.repeat(1_000_000)}`),
      [200, 400, 413, 422],
    ],
    ['of a title of a million columns', file(`${'name,'.repeat(900_000)}\n`), [400, 413, 422]],
    [
      'of one cell of five megabytes',
      file(`${csvColumns.join(',')}\n"${'x'.repeat(4_900_000)}`),
      [400, 413, 422],
    ],
    ['of one line of five million separators', file(','.repeat(4_900_000)), [400, 422]],
    ['that nests its boundaries', '--x\r\n'.repeat(200_000), [400, 422]],
  ])('%s is answered soon', async (_what, body, statuses) => {
    expect(statuses).toContain(await soon(upload(body)))
  })

  test('with a boundary of ten thousand characters is refused soon', async () => {
    const type = `multipart/form-data; boundary=${'x'.repeat(10_000)}`
    expect([400, 422]).toContain(await soon(upload('', type)))
  })
})

const laughs = (depth: number) =>
  `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l0 "lol">${Array.from(
    { length: depth },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  ).join('')}]><API3G><Request>&l${depth};</Request></API3G>`

describe.each([
  ['the push endpoint', `/api/payments/push/${pushSecret}`, [200]],
  ['the sandbox’s API', '/sandbox/api/v6/', [200]],
])('at %s', (_where, path, statuses) => {
  test.each([
    ['a billion laughs', laughs(10)],
    [
      'an entity of a file',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><API3G><Request>&x;</Request></API3G>',
    ],
    ['an entity of an address', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]><API3G/>'],
    [
      'a quadratic blow-up',
      `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(20_000)}">]><a>${'&x;'.repeat(10_000)}</a>`,
    ],
    ['ten thousand levels', '<a>'.repeat(10_000)],
    ['ten thousand attributes', `<a ${Array.from({ length: 5_000 }, (_, i) => `b${i}="1"`).join(' ')}/>`],
  ])('%s does nothing', async (_what, xml) => {
    const answer = exchange(school.url, path, {
      method: 'POST',
      headers: { 'content-type': 'application/xml', 'user-agent': 'attacker' },
      body: xml,
    })
    expect(statuses).toContain(await soon(answer))
    expect((await answer).text).not.toMatch(/root:|lollol/)
  })
})

const account = { username: 'bomb', password: 'long-enough', name: 'Bomb' }
const post = (text: string) =>
  soon(
    exchange(school.url, register.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    }),
  )

describe('a JSON body', () => {
  test('of a hundred thousand levels is refused soon', async () => {
    expect([400, 422]).toContain(await post('['.repeat(120_000) + ']'.repeat(120_000)))
  })

  test.each([
    ['@', `${'a@'.repeat(100_000)}`],
    ['dots', `a@${'a.'.repeat(100_000)}`],
    ['dashes', `a@${'-'.repeat(200_000)}.com`],
    ['dots before the @', `${'a.'.repeat(100_000)}@b.co`],
  ])('with an email address of 200,000 %s is refused soon', async (_what, email) => {
    expect(await post(JSON.stringify({ ...account, email }))).toBe(422)
  })

  test('whose password is as long as the body may be costs no hashing', async () => {
    expect(await post(JSON.stringify({ ...account, password: 'x'.repeat(250_000) }))).toBe(422)
  })
})

/** The first line of what a raw connection is answered. */
const talk = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(school.url)
    const socket = connect(Number(port), hostname, () => socket.end(text))
    let heard = ''
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')))
    socket.on('close', () => resolve(heard.split('\r\n', 1)[0]!))
    socket.on('error', reject)
  })

describe('a request line and headers', () => {
  test.each([
    ['an address of 100,000 characters', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, '431'],
    [
      'a query of 15,000',
      `GET /api/portal?${'a=1&'.repeat(3_750)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      '200',
    ],
    [
      'a cookie of 100,000',
      `GET /api/user HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(100_000)}\r\n\r\n`,
      '431',
    ],
    ['ten thousand headers', `GET /api/user HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, '431'],
    [
      'a body of two lengths',
      'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd',
      '400',
    ],
    [
      'a length and chunks, as smugglers send them',
      'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a header cut by a lone line feed', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\nY : b\r\n\r\n', '400'],
    ['no HTTP at all', '\u0016\u0003\u0001 hello\r\n\r\n', '400'],
  ])('%s is answered with %s', async (_what, text, status) => {
    expect(await talk(text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`))
  })

  test('three hundred connections that say nothing keep nobody else out', async () => {
    const { hostname, port } = new URL(school.url)
    const idle = Array.from({ length: 300 }, () => connect(Number(port), hostname))
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    for (const socket of idle) socket.write('GET / HTTP/1.1\r\n')
    expect(await soon(exchange(school.url, '/api/portal'))).toBe(200)
    for (const socket of idle) socket.destroy()
  })
})

describe('a path', () => {
  test.each([
    '/../../../../etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cetc%5cpasswd',
    '/assets/....//....//etc/passwd',
    '/dev/mail/..%2f..%2f..%2fetc%2fpasswd',
    '/dev/mail/%2e%2e%2fpostgres%2fpostgresql.conf',
    '/assets/%00',
    '//etc/passwd',
    '/.env',
    '/.git/config',
    '/package.json',
  ])('%s leads to no file', async (path) => {
    const { status, text } = await exchange(school.url, path)
    expect(status).toBe(404)
    expect(text).not.toMatch(/root:|listen_addresses|"dependencies"/)
  })
})
