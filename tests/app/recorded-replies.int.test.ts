import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createCycle } from '#contracts/cycles'
import type { Client } from '../../src/app/demo/client'
import { liveGoldenDays } from '../golden/golden-days'
import { masked, sorted } from '../golden/masked'
import { askers, requestsAt, type AskedFor } from '../golden/requests'
import { startSchool, superadminPassword, type School } from '../support/school'

const file = join(__dirname, '../golden/replies.json')
const shownHeaders = ['content-type', 'content-disposition', 'cache-control', 'location', 'retry-after']

type Reply = { request: string; status: number; headers: Record<string, string>; body: unknown }

let school: School
let replies: Reply[]
let recorded: Reply[]

beforeAll(async () => {
  // No sweep comes by itself: what it changes would depend on when it came.
  const variables = { WITHDRAWN_ITEMS: 'hold' }
  school = await startSchool({ at: '2026-09-14T06:00:00+02:00', variables, sweepEveryMs: 3_600_000 })
  const blockedDays = [
    { week: 2, day: 5 },
    { week: 3, day: 1 },
  ]
  const office = await school.superadmin()
  await office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays } })
  const stage = await liveGoldenDays(school, superadminPassword)
  const people = await askers(stage)
  const requests = await requestsAt(stage, people.parent)
  replies = []
  for (const asked of requests) replies.push(await replyTo(people[asked[0]], asked))
  if (process.env.WRITE_REPLIES)
    writeFileSync(file, `[\n${replies.map((reply) => JSON.stringify(reply)).join(',\n')}\n]\n`)
  recorded = JSON.parse(readFileSync(file, 'utf8')) as Reply[]
})
afterAll(() => school.close())

const replyTo = async (client: Client, [who, method, path, body]: AskedFor): Promise<Reply> => {
  const json = { 'content-type': 'application/json' }
  const sent = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
  const response = await client.fetch(path, sent)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const headers = shownHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, masked(value)]]
  })
  return {
    request: masked(`${who}: ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`),
    status: response.status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: isJson ? sorted(JSON.parse(masked(text))) : masked(text),
  }
}

/** `WRITE_REPLIES=1 npx jest --selectProjects int --testPathPatterns recorded-replies` writes them anew. */
test('the same is asked as was recorded', () => {
  expect(replies.map(({ request }) => request)).toEqual(recorded.map(({ request }) => request))
})

test('every reply is the one that was recorded', () => {
  const differing = replies.flatMap((reply, index) =>
    isDeepStrictEqual(reply, recorded[index]) ? [] : [{ now: reply, before: recorded[index] }],
  )
  if (differing.length > 0)
    console.log('Other replies to', differing.map(({ now }) => now.request).join('\n'))
  expect(differing.map(({ now }) => now)).toEqual(differing.map(({ before }) => before))
})

test('there are replies of each kind', () => {
  const statuses = new Set(recorded.map(({ status }) => status))
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 202, 401, 402, 403, 404, 409, 422]))
})
