import { sessionRetention, type SessionStore } from '#platform/http/sessions'
import { cookiesFrom, type Exchange } from '../../support/http-exchange'
import { testDatabase, type TestDatabase } from '../../support/postgres'
import { exampleSessions, people, startExampleServer, type ExampleServer } from './example-server'

let database: TestDatabase
let server: ExampleServer
let sessions: SessionStore

const dayMs = 86_400_000
/** Sessions last in real time: so many days pass by what is left of each of them. */
const daysPass = (days: number) =>
  database.database.pool.query(
    `update platform.sessions set expires_at = expires_at - $1 * interval '1 day'`,
    [days],
  )
const daysLeft = async () => ((await rows())[0]!.expires_at.getTime() - Date.now()) / dayMs

beforeAll(async () => {
  database = await testDatabase()
  sessions = exampleSessions(database.database.pool)
  server = await startExampleServer({ sessions })
})

afterAll(async () => {
  await server.close()
  await database.close()
})

beforeEach(async () => {
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
      expires_at: expect.any(Date),
    })
    expect(await daysLeft()).toBeCloseTo(14, 2)
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
  test('begin anew in their second half, which is written and sent once', async () => {
    const cookie = cookiesFrom(await signInAs(1))
    await daysPass(6.9)
    const early = await server.ask('/api/who', { headers: { cookie } })
    expect(early.headers['set-cookie']).toBeUndefined()
    expect(await daysLeft()).toBeCloseTo(7.1, 2)

    await daysPass(0.2)
    const later = await server.ask('/api/who', { headers: { cookie } })
    expect(cookiesFrom(later)).toBe(cookie)
    expect(await daysLeft()).toBeCloseTo(14, 2)
    expect((await server.ask('/api/who', { headers: { cookie } })).headers['set-cookie']).toBeUndefined()
  })

  test('end the session when nobody came', async () => {
    const cookie = cookiesFrom(await signInAs(1))
    await daysPass(14)
    expect(await whoIs(cookie)).toMatchObject({ userId: null, sessionId: null })
  })

  test('are not given to a session that was ended in the meantime', async () => {
    const cookie = cookiesFrom(await signInAs(1))
    await daysPass(8)
    const endedMeanwhile: SessionStore = {
      ...sessions,
      read: async (id) => {
        const found = await sessions.read(id)
        await sessions.endSessions(1)
        return found
      },
    }
    const racing = await startExampleServer({ sessions: endedMeanwhile })
    expect((await racing.ask('/api/who', { headers: { cookie } })).status).toBe(200)
    await racing.close()
    expect(await rows()).toEqual([])
  })

  test('leave rows behind that the retention removes, and only those', async () => {
    await signInAs(1)
    await daysPass(5)
    await signInAs(2)
    await daysPass(10)
    expect(await sessionRetention(database.database.pool).remove(10)).toBe(1)
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

  test('that comes after a session was ended knows of its end', async () => {
    const cookie = await server.cookieOf(people.parent)
    expect((await server.ask('/api/signed-in', { headers: { cookie } })).status).toBe(200)
    await sessions.endSessions(people.parent.userId)
    expect((await server.ask('/api/signed-in', { headers: { cookie } })).status).toBe(401)
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
