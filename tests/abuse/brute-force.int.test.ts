import { contact, forgotPassword, login, register, saveCommunication } from '#contracts/identity'
import { addStaffEntry, saveStaffCode } from '#contracts/staff'
import { type Exchange, exchange } from '../support/http-exchange'
import { type School, startSchool } from '../support/school'
import { secondProcess } from './second-process'

// One proxy in front, so that a test can come from many addresses.
const variables = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }

let school: School
let second: Awaited<ReturnType<typeof secondProcess>>
beforeAll(async () => {
  school = await startSchool({ variables })
  second = await secondProcess(school, variables)
  await school.parent('mwila', { email: 'mwila@example.org' })
})
afterAll(async () => {
  await second.close()
  await school.close()
})

const either = (round: number) => (round % 2 === 0 ? school.url : second.url)
const post = (url: string, path: string, body: unknown, from: string) =>
  exchange(url, path, { method: 'POST', body, headers: { 'x-forwarded-for': from } })
const inOrder = async (count: number, ask: (round: number) => Promise<Exchange>) => {
  const statuses: number[] = []
  for (let round = 0; round < count; round += 1) statuses.push((await ask(round)).status)
  return statuses
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

type Asked = { body: unknown; from: string }
/** Asks the two processes in turn. */
const asking = (path: string, of: (round: number) => Asked) => (round: number) => {
  const { body, from } = of(round)
  return post(either(round), path, body, from)
}

test('passwords of one account are guessed 20 times at most, from many addresses at two processes', async () => {
  const guess = asking(login.path, (round) => ({
    body: { username: 'mwila', password: round < 20 ? `guess-${round}` : 'parent-password' },
    from: `10.1.0.${round + 1}`,
  }))
  expect(await inOrder(20, guess)).toEqual(times(20, 401))
  const right = await guess(20)
  expect([right.status, right.json().code]).toEqual([429, 'too_many_requests'])
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
  expect((await guess(21)).status).toBe(429)
})

test('one address guesses 30 times at most, whatever the account, at two processes', async () => {
  const guess = asking(login.path, (round) => ({
    body: { username: `user.${round}`, password: 'guess' },
    from: '10.2.0.1',
  }))
  expect(await inOrder(30, guess)).toEqual(times(30, 401))
  expect([(await guess(30)).status, (await guess(31)).status]).toEqual([429, 429])
})

test('one address opens 60 accounts an hour at most, so that names are not tried by the thousand', async () => {
  const ask = asking(register.path, () => ({ body: { username: 'mwila' }, from: '10.3.0.1' }))
  expect(await inOrder(60, ask)).toEqual(times(60, 422))
  expect([(await ask(60)).status, (await ask(61)).status]).toEqual([429, 429])
})

test('temporary passwords are asked for ten times at most, and the answers tell nobody who has an account', async () => {
  const ask = asking(forgotPassword.path, (round) => ({
    body: { identifier: round < 5 ? 'mwila' : 'nobody' },
    from: '10.4.0.1',
  }))
  const answers = [await ask(0), await ask(7)]
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await inOrder(8, ask)).toEqual(times(8, 200))
  expect([(await ask(8)).status, (await ask(9)).status]).toEqual([429, 429])
})

test('a wrong password and an unknown name get the same answer', async () => {
  await school.parent('thandiwe')
  const answers = await Promise.all(
    ['thandiwe', 'no.such.user'].map((username) =>
      post(school.url, login.path, { username, password: 'guess' }, '10.5.0.1'),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
})

test('a forged X-Forwarded-For buys no fresh budget: the proxy’s own word counts', async () => {
  const guess = asking(login.path, (round) => ({
    body: { username: `other.${round}`, password: 'guess' },
    from: `10.9.9.${round}, 10.6.0.1`,
  }))
  expect(await inOrder(30, guess)).toEqual(times(30, 401))
  expect((await guess(30)).status).toBe(429)
})

test('one user writes to the school five times in ten minutes at most', async () => {
  const office = await school.superadmin()
  await office.call(saveCommunication, { body: { supportEmail: 'office@example.org', whatsappNumber: '' } })
  const parent = await school.parent('writer', { email: 'writer@example.org' })
  const body = JSON.stringify({ name: 'W', email: 'writer@example.org', message: 'Please call me back.' })
  const headers = { 'content-type': 'application/json' }
  const statuses: number[] = []
  for (let round = 0; round < 6; round += 1)
    statuses.push((await parent.fetch(contact.path, { method: 'POST', body, headers })).status)
  expect(statuses).toEqual([...times(5, 200), 429])
})

test('one user guesses the staff code five times an hour at most', async () => {
  await (await school.superadmin()).call(saveStaffCode, { body: { staffCode: 'chalk and board' } })
  const parent = await school.parent('guesser')
  const headers = { 'content-type': 'application/json' }
  const guess = async (code: string) =>
    (await parent.fetch(addStaffEntry.path, { method: 'POST', body: JSON.stringify({ code }), headers }))
      .status
  const statuses: number[] = []
  for (let round = 0; round < 5; round += 1) statuses.push(await guess(`guess ${round}`))
  expect([...statuses, await guess('chalk and board')]).toEqual([...times(5, 422), 429])
})
