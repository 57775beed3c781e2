import { addStaffEntry, saveStaffCode } from '#contracts/accounts'
import { contact, forgotPassword, login, register, saveCommunication } from '#contracts/identity'
import { claimStudents } from '#contracts/roll-import'
import type { CallRefused, Client } from '../../src/app/demo/client'
import { cookiesFrom, type Exchange, exchange } from '../support/http-exchange'
import { type School, startSchool, superadminPassword } from '../support/school'
import { secondProcess } from './second-process'

// One proxy in front, so that a test can come from many addresses.
const variables = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }

let school: School
let second: Awaited<ReturnType<typeof secondProcess>>
beforeAll(async () => {
  school = await startSchool({ variables })
  second = await secondProcess(school, variables)
  await school.parent('mwila', { email: 'mwila@example.org' })
  await school.parent('natasha')
  await school.infrastructure.database.pool.query(
    `update identity.users set email = 'head@example.org' where "isSuperadmin"`,
  )
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

/** Signs in somebody from an address, on the device that sends these cookies. */
const enter = (round: number, username: string, password: string, from: string, cookie?: string) =>
  exchange(either(round), login.path, {
    method: 'POST',
    body: { username, password },
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie }) },
  })

test('one address guesses the password of an account 20 times at most, at two processes, and locks nobody else out', async () => {
  const guess = asking(login.path, (round) => ({
    body: { username: 'superadmin', password: round < 20 ? `guess-${round}` : superadminPassword },
    from: '10.1.0.1',
  }))
  expect(await inOrder(20, guess)).toEqual(times(20, 401))
  const right = await guess(20)
  expect([right.status, right.json().code]).toEqual([429, 'too_many_requests'])
  const seconds = Number(right.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(right.json().message).toBe(
    `Too many attempts. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
  )
  expect((await guess(21)).status).toBe(429)
  for (const round of [0, 1])
    expect((await enter(round, 'superadmin', superadminPassword, '10.1.0.2')).status).toBe(200)
})

test('an account is guessed 100 times an hour at most from many addresses; a device that signed in before keeps its way in', async () => {
  const device = cookiesFrom(await enter(0, 'mwila', 'parent-password', '10.1.1.1'))
  const guess = (round: number) => enter(round, 'mwila', `guess-${round}`, `10.1.2.${round + 1}`)
  expect(await inOrder(100, guess)).toEqual(times(100, 401))
  expect(await inOrder(2, (round) => enter(round, 'mwila', 'parent-password', '10.1.3.1'))).toEqual([
    429, 429,
  ])
  expect(await inOrder(4, (round) => enter(round, 'mwila', 'parent-password', '10.1.3.1', device))).toEqual(
    times(4, 200),
  )
  const forged = device.replace(/(device=\d+)/, (all) => `${all}1`)
  expect((await enter(0, 'mwila', 'parent-password', '10.1.3.1', forged)).status).toBe(429)
})

test('one address is wrong 100 times at most, whatever the account, at two processes, and known devices there sign in', async () => {
  const device = cookiesFrom(await enter(0, 'natasha', 'parent-password', '10.2.0.1'))
  const guess = asking(login.path, (round) => ({
    body: { username: `user.${round}`, password: 'guess' },
    from: '10.2.0.1',
  }))
  expect(await inOrder(100, guess)).toEqual(times(100, 401))
  expect([(await guess(100)).status, (await guess(101)).status]).toEqual([429, 429])
  expect((await enter(0, 'natasha', 'parent-password', '10.2.0.1', device)).status).toBe(200)
})

test('a school that signs in at once from one address is let in', async () => {
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, round) => enter(round, 'natasha', 'parent-password', '10.2.1.1')),
  )
  expect(answers.map(({ status }) => status)).toEqual(times(120, 200))
})

test('a school registers in one morning behind one address, and nobody finds out names by the thousand', async () => {
  const ask = asking(register.path, (round) => ({
    body: { username: `family.${round}`, password: 'parent-password', name: 'Family' },
    from: '10.3.0.1',
  }))
  expect(await inOrder(70, ask)).toEqual(times(70, 201))
  const tryName = asking(register.path, () => ({
    body: { username: 'mwila', password: 'parent-password', name: 'Family' },
    from: '10.3.0.2',
  }))
  expect(await inOrder(200, tryName)).toEqual(times(200, 409))
  expect([(await tryName(200)).status, (await tryName(201)).status]).toEqual([429, 429])
})

const tryCode = (client: Client) =>
  client.call(claimStudents, { body: { code: 'BCDFGHJK' } }).catch((error: CallRefused) => error.status)

test('claim codes are guessed 10 times by an account, 50 times from an address, and superadmins hear of it', async () => {
  const statuses: unknown[] = []
  for (let account = 0; account < 6; account += 1) {
    const client = await school.parent(`guesser.${account}`)
    for (let round = 0; round < 11; round += 1) statuses.push(await tryCode(client))
  }
  // The eleventh of each account, and from the 51st on all.
  expect(statuses.filter((status) => status === 429)).toHaveLength(16)
  const registering = asking(register.path, (round) => ({
    body: { username: `new.${round}`, password: 'parent-password', name: 'New', code: 'BCDFGHJK' },
    from: `10.3.1.${round < 51 ? 1 : 2}`,
  }))
  expect(await inOrder(50, registering)).toEqual(times(50, 422))
  expect([(await registering(50)).status, (await registering(51)).status]).toEqual([429, 422])
  const { rows } = await school.infrastructure.database.pool.query(
    `select subject from messaging.mail_outbox where "to" = 'head@example.org'`,
  )
  expect(rows).toEqual([{ subject: 'Somebody may be guessing claim codes' }])
})

test('temporary passwords are asked for 40 times at most, and the answers tell nobody who has an account', async () => {
  const ask = asking(forgotPassword.path, (round) => ({
    body: { identifier: round < 5 ? 'mwila' : 'nobody' },
    from: '10.4.0.1',
  }))
  const answers = [await ask(0), await ask(7)]
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await inOrder(38, ask)).toEqual(times(38, 200))
  expect([(await ask(38)).status, (await ask(39)).status]).toEqual([429, 429])
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
  expect(await inOrder(100, guess)).toEqual(times(100, 401))
  expect((await guess(100)).status).toBe(429)
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
