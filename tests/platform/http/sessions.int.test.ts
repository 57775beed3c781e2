import { sessionRetention } from '#platform/http/session-store'
import type { SessionStore } from '#platform/http/session-store'
import { cookiesFrom } from '../../support/http-exchange'
import type { Exchange } from '../../support/http-exchange'
import type { TestDatabase } from '../../support/postgres'
import { testDatabase } from '../../support/postgres'
import type { ExampleServer } from './example-server'
import { exampleSessions, people, startExampleServer } from './example-server'

let database: TestDatabase
let server: ExampleServer
let sessions: SessionStore

const signedInAt = '2026-09-16T05:00:00.000Z'
let time = signedInAt
const laterBy = (days: number, hours = 0) => {
  time = new Date(Date.parse(signedInAt) + (days * 24 + hours) * 3_600_000).toISOString()
}

beforeAll(async () => {
  database = await testDatabase()
  sessions = exampleSessions(database.database.pool, () => new Date(time))
  server = await startExampleServer({ sessions })
})

afterAll(async () => {
  await server.close()
  await database.close()
})

beforeEach(async () => {
  time = signedInAt
  await database.database.pool.query('truncate platform.sessions')
})

type Row = { id: string; user_id: number; expires_at: Date }
const rows = async () =>
  (await database.database.pool.query<Row>('select * from platform.sessions order by user_id, id')).rows

const signInAs = (userId: number, cookie = '', to = server): Promise<Exchange> =>
  to.ask('/api/sign-in', { method: 'POST', body: { userId }, headers: cookie === '' ? {} : { cookie } })

const whoIs = async (cookie: string, to = server) =>
  (await to.ask('/api/who', { headers: { cookie } })).json()

describe('signing in', () => {
  test('keeps one row for fourteen days under an id of 256 random bits, and later requests know who asks', async () => {
    const answer = await signInAs(1)
    const [row] = await rows()
    expect(row).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      user_id: 1,
      expires_at: new Date('2026-09-30T05:00:00Z'),
    })
    expect(answer.json()).toEqual({ sessionId: row!.id })
    expect(await whoIs(cookiesFrom(answer))).toMatchObject({ userId: 1, actor: 'user:1', sessionId: row!.id })
  })

  test('gives a cookie for this site only that no script reads', async () => {
    const [cookie, signature] = (await signInAs(1)).headers['set-cookie']!
    for (const part of [cookie!, signature!]) {
      expect(part).toMatch(
        /^tuckshop\.session(\.sig)?=[\w-]+; path=\/; expires=.* GMT; samesite=lax; httponly$/,
      )
      const lasts = Date.parse(/expires=([^;]+)/.exec(part)![1]!) - Date.now()
      expect(lasts / 86_400_000).toBeCloseTo(14, 2)
    }
  })

  test('behind TLS gives a Secure cookie, also when the proxy in front says nothing of it', async () => {
    const secure = await startExampleServer({ sessions, publicUrl: 'https://lunch.school.test' })
    const answer = await signInAs(1, '', secure)
    await secure.close()
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toHaveLength(2)
    for (const cookie of answer.headers['set-cookie']!) expect(cookie).toContain('; secure')
  })

  test('again gets a new id and ends the old session, so that a planted cookie is worth nothing', async () => {
    const planted = cookiesFrom(await signInAs(2))
    const answer = await signInAs(1, planted)
    expect(answer.headers['set-cookie']).toHaveLength(2)
    expect(cookiesFrom(answer)).not.toBe(planted)
    expect(await rows()).toEqual([expect.objectContaining({ user_id: 1 })])
    expect(await whoIs(planted)).toMatchObject({ userId: null })
    expect(await whoIs(cookiesFrom(answer))).toMatchObject({ userId: 1 })
  })

  test('under the id of an ended session gets a new id too', async () => {
    const stale = cookiesFrom(await signInAs(1))
    await sessions.endSessions(1)
    const answer = await signInAs(1, stale)
    expect(cookiesFrom(answer)).not.toBe(stale)
    expect(await whoIs(cookiesFrom(answer))).toMatchObject({ userId: 1 })
  })
})

describe('a cookie', () => {
  test('that nobody signed is not believed', async () => {
    const signed = cookiesFrom(await signInAs(1))
    const [pair, signature] = signed.split('; ')
    expect(await whoIs(pair!)).toMatchObject({ userId: null })
    expect(await whoIs(`${pair}; ${signature!.slice(0, -1)}_`)).toMatchObject({ userId: null })
    const [row] = await rows()
    expect(await whoIs(`tuckshop.session=${row!.id}x; ${signature}`)).toMatchObject({ userId: null })
  })

  test('signed with an older key is believed and signed anew; one of a dropped key is not', async () => {
    const old = await startExampleServer({ sessions, sessionKeys: ['old key'] })
    const unrelated = await startExampleServer({ sessions, sessionKeys: ['other key'] })
    const cookie = cookiesFrom(await signInAs(1, '', old))
    const answer = await server.ask('/api/who', { headers: { cookie } })
    expect(answer.json()).toMatchObject({ userId: 1 })
    const [pair] = cookie.split('; ')
    const renewed = `${pair}; ${cookiesFrom(answer)}`
    expect(await whoIs(renewed)).toMatchObject({ userId: 1 })
    expect(await whoIs(renewed, old)).toMatchObject({ userId: null })
    expect(await whoIs(cookie, unrelated)).toMatchObject({ userId: null })
    await Promise.all([old.close(), unrelated.close()])
  })

  test('of an account that is gone is not signed in', async () => {
    const cookie = cookiesFrom(await signInAs(999))
    expect((await server.ask('/api/whoever', { headers: { cookie } })).status).toBe(401)
  })
})

test('nobody who only looks gets a row or a cookie', async () => {
  const answer = await server.ask('/api/who')
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect((await server.ask('/api/sign-out', { method: 'POST' })).status).toBe(200)
  expect(await rows()).toEqual([])
})

describe('the fourteen days', () => {
  test('begin anew with use, written and sent at most once a day', async () => {
    const cookie = cookiesFrom(await signInAs(1))
    laterBy(0, 23)
    const sameDay = await server.ask('/api/who', { headers: { cookie } })
    expect(sameDay.headers['set-cookie']).toBeUndefined()
    expect((await rows())[0]!.expires_at).toEqual(new Date('2026-09-30T05:00:00Z'))

    laterBy(1, 1)
    const nextDay = await server.ask('/api/who', { headers: { cookie } })
    expect(cookiesFrom(nextDay)).toBe(cookie)
    expect((await rows())[0]!.expires_at).toEqual(new Date('2026-10-01T06:00:00Z'))
    expect((await server.ask('/api/who', { headers: { cookie } })).headers['set-cookie']).toBeUndefined()
  })

  test('end the session when nobody came', async () => {
    const cookie = cookiesFrom(await signInAs(1))
    laterBy(14)
    expect(await whoIs(cookie)).toMatchObject({ userId: null, sessionId: null })
  })

  test('are not given to a session that was ended in the meantime', async () => {
    await sessions.renew('ended')
    expect(await rows()).toEqual([])
  })

  test('leave rows behind that the retention removes, and only those', async () => {
    await signInAs(1)
    laterBy(5)
    await signInAs(2)
    laterBy(15)
    expect(await sessionRetention(database.database.pool, () => new Date(time)).remove(10)).toBe(1)
    expect(await rows()).toEqual([expect.objectContaining({ user_id: 2 })])
  })
})

describe('signing out', () => {
  test('ends the session and takes the cookie back', async () => {
    const cookie = cookiesFrom(await signInAs(1))
    const answer = await server.ask('/api/sign-out', { method: 'POST', headers: { cookie } })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringContaining('tuckshop.session=; path=/; expires=Thu, 01 Jan 1970'),
      expect.stringContaining('tuckshop.session.sig='),
    ])
    expect(await rows()).toEqual([])
    expect(await whoIs(cookie)).toMatchObject({ userId: null })
  })
})

describe('ending the sessions of a user', () => {
  test('spares the one named and everybody else', async () => {
    const kept = (await signInAs(1)).json<{ sessionId: string }>().sessionId
    const ended = cookiesFrom(await signInAs(1))
    await signInAs(2)
    await sessions.endSessions(1, kept)
    expect((await rows()).map(({ id, user_id }) => [user_id, user_id === 1 ? id : 'another'])).toEqual([
      [1, kept],
      [2, 'another'],
    ])
    expect(await whoIs(ended)).toMatchObject({ userId: null })
  })

  test('without one named ends them all', async () => {
    await signInAs(1)
    await signInAs(1)
    await sessions.endSessions(1)
    expect(await rows()).toEqual([])
  })
})

const counting = () => {
  const reads: string[] = []
  const counted: SessionStore = { ...sessions, read: (id) => (reads.push(id), sessions.read(id)) }
  return { reads, counted }
}

describe('a request', () => {
  test('with a cookie reads its session once; without one, or for the health, not at all', async () => {
    const { reads, counted } = counting()
    const watched = await startExampleServer({ sessions: counted })
    const cookie = await watched.cookieOf(people.parent)
    await watched.ask('/api/signed-in', { headers: { cookie } })
    expect(reads).toHaveLength(1)
    await watched.ask('/api/who')
    await watched.ask('/healthz', { headers: { cookie } })
    await watched.ask('/api/nowhere', { headers: { cookie } })
    expect(reads).toHaveLength(1)
    await watched.close()
  })

  test('for what is no secret reads it once in five seconds; another route asks each time, and knows of its end', async () => {
    const { reads, counted } = counting()
    const watched = await startExampleServer({ sessions: counted })
    const cookie = await watched.cookieOf(people.parent)
    const ask = async (path: string, headers: Record<string, string> = { cookie }) =>
      (await watched.ask(path, { headers })).status
    expect(await ask('/api/no-secret')).toBe(200)
    expect(await ask('/api/no-secret')).toBe(200)
    expect(reads).toHaveLength(1)
    expect(await ask('/api/signed-in')).toBe(200)
    expect(reads).toHaveLength(2)
    await sessions.endSessions(people.parent.userId)
    expect(await ask('/api/signed-in')).toBe(401)
    expect(await ask('/api/no-secret', {})).toBe(401)
    expect(await ask('/api/no-secret', { cookie: cookie.slice(0, -1) })).toBe(401)
    await watched.close()
  })

  test('whose session cannot be read is a fault, not a stranger', async () => {
    const broken = await startExampleServer({
      sessions: { ...sessions, read: () => Promise.reject(new Error('the database is away')) },
    })
    const cookie = cookiesFrom(await signInAs(1))
    expect((await broken.ask('/api/who', { headers: { cookie } })).status).toBe(500)
    await broken.close()
  })
})
